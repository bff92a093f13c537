import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import classes from './overview.module.css';

interface Entry {
  name: string;
  calls: number;
  icon?: ReactNode;
}

/** Names with how many calls each has, as numbers and as bars. @param of shares are shown of this many */
export function Ranking({ entries, of }: { entries: readonly Entry[]; of?: number }) {
  const most = Math.max(1, ...entries.map(({ calls }) => calls));
  return (
    <ol className={classes.ranking}>
      {entries.map(({ name, calls, icon }) => (
        <li key={name}>
          <span className={classes.rankName}>
            {icon}
            <bdi>{name}</bdi>
          </span>
          <span className={classes.rankValue}>
            {texts.overview.calls(calls)}
            {of !== undefined && (
              <span className={classes.share}>{texts.overview.share(Math.round((calls / of) * 100))}</span>
            )}
          </span>
          <span className={classes.rankBar} aria-hidden="true">
            <span style={{ width: `${(calls / (of ?? most)) * 100}%` }} />
          </span>
        </li>
      ))}
    </ol>
  );
}
