import { calls } from './en/calls.ts';
import { common } from './en/common.ts';
import { overview } from './en/overview.ts';
import { report } from './en/report.ts';
import { session } from './en/session.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';

export const en = { common, shell, session, settings, calls, report, overview };
