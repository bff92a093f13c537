import { Sections } from '../common/sections.tsx';
import { texts } from '../texts/texts.ts';

const { settings: words } = texts;

const SECTIONS = [
  { to: '/settings/keys', label: words.keys },
  { to: '/settings/members', label: words.members },
  { to: '/settings/profile', label: words.profile },
  { to: '/settings/account', label: words.account },
] as const;

export function SettingsPage() {
  return <Sections title={words.title} label={words.sections} of={SECTIONS} />;
}
