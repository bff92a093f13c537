import { Sections } from '../common/sections.tsx';
import { texts } from '../texts/texts.ts';

const { docs: words } = texts;

const SECTIONS = [
  { to: '/docs/start', label: words.startTab },
  { to: '/docs/api', label: words.reference },
] as const;

export function DocsPage() {
  return <Sections title={words.title} label={words.sections} of={SECTIONS} />;
}
