import { Link, useLocation } from '@tanstack/react-router';
import { CallsIcon, DocsIcon, OverviewIcon, SettingsIcon } from '../common/icons.tsx';
import { texts } from '../texts/texts.ts';
import classes from './shell.module.css';

const { shell } = texts;

/** Each with the beginning of the addresses that belong to it. */
const LINKS = [
  { to: '/calls', under: '/calls', label: shell.calls, Icon: CallsIcon },
  { to: '/overview', under: '/overview', label: shell.overview, Icon: OverviewIcon },
  { to: '/settings/keys', under: '/settings', label: shell.settings, Icon: SettingsIcon },
] as const;

export function Navigation({ onFollow }: { onFollow?: () => void }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <nav aria-label={shell.navigation}>
      <ul className={classes.links}>
        {LINKS.map(({ to, under, label, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={classes.link}
              aria-current={pathname === under || pathname.startsWith(`${under}/`) ? 'page' : undefined}
              {...(onFollow ? { onClick: onFollow } : {})}
            >
              <Icon />
              {label}
            </Link>
          </li>
        ))}
        <li>
          {/* A document of its own, beside the application: uploads in this tab go on. */}
          <a href="/docs" target="_blank" rel="noopener" className={classes.link}>
            <DocsIcon />
            {shell.docs}
          </a>
        </li>
      </ul>
    </nav>
  );
}
