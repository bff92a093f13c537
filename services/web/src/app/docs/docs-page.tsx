import { Link, Outlet } from '@tanstack/react-router';
import { Page } from '../common/page.tsx';
import classes from '../settings/settings.module.css';
import { texts } from '../texts/texts.ts';

const { docs: words } = texts;

const SECTIONS = [
  { to: '/docs/start', label: words.startTab },
  { to: '/docs/api', label: words.reference },
] as const;

export function DocsPage() {
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
