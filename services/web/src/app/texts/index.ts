import { calls } from './en/calls.ts';
import { common, LOCALE, session, shell } from './en/common.ts';
import { overview } from './en/overview.ts';
import { report } from './en/report.ts';
import { settings } from './en/settings.ts';

/** Every text of the application. The pages for signing in import their own from `en` and load no others. */
export const texts = { common, shell, session, settings, calls, report, overview };
export { LOCALE };
