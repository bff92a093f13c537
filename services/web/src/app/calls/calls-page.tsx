import { Page } from '../common/page.tsx';
import { texts } from '../texts/texts.ts';

export function CallsPage() {
  return <Page title={texts.calls.title}>…</Page>;
}
