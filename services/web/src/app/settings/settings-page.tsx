import { Link, Outlet } from '@tanstack/react-router';
import { Page } from '../common/page.tsx';
import { texts } from '../texts/texts.ts';
import classes from './settings.module.css';

const { settings: words } = texts;

const SECTIONS = [
  { to: '/settings/keys', label: words.keys },
  { to: '/settings/members', label: words.members },
  { to: '/settings/profile', label: words.profile },
  { to: '/settings/account', label: words.account },
] as const;

export function SettingsPage() {
  return (
    <Page title={words.title} narrow>
      <nav aria-label={words.sections} className={classes.sections}>
        {SECTIONS.map(({ to, label }) => (
          <Link key={to} to={to} className={classes.section}>
            {label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </Page>
  );
}
