import { Page } from '../common/page.tsx';
import { texts } from '../texts/texts.ts';

export function DocsPage() {
  return <Page title={texts.docs.title}>…</Page>;
}
