import { Page } from '../common/page.tsx';
import { texts } from '../texts/texts.ts';

export function ReportPage() {
  return <Page title={texts.report.title}>…</Page>;
}
