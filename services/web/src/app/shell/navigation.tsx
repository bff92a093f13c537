import { Link } from '@tanstack/react-router';
import { CallsIcon, DocsIcon, OverviewIcon, SettingsIcon } from '../common/icons.tsx';
import { texts } from '../texts/texts.ts';
import classes from './shell.module.css';

const { shell } = texts;

const LINKS = [
  { to: '/calls', label: shell.calls, Icon: CallsIcon },
  { to: '/overview', label: shell.overview, Icon: OverviewIcon },
  { to: '/settings', label: shell.settings, Icon: SettingsIcon },
  { to: '/docs', label: shell.docs, Icon: DocsIcon },
] as const;

export function Navigation({ onFollow }: { onFollow?: () => void }) {
  return (
    <nav aria-label={shell.navigation}>
      <ul className={classes.links}>
        {LINKS.map(({ to, label, Icon }) => (
          <li key={to}>
            <Link to={to} className={classes.link} activeOptions={{ includeSearch: false }} {...(onFollow ? { onClick: onFollow } : {})}>
              <Icon />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
