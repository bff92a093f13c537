import { Page } from '../common/page.tsx';
import { texts } from '../texts/texts.ts';

export function OverviewPage() {
  return <Page title={texts.overview.title}>…</Page>;
}
