import { Page } from '../common/page.tsx';
import { texts } from '../texts/texts.ts';

export function SettingsPage() {
  return <Page title={texts.settings.title}>…</Page>;
}
