import type { FoundCall } from '@call-analytics/contracts';
import { pieces } from '../report/search.ts';
import classes from './calls.module.css';

/** The line of a call in which the searched words stand, with the words marked. Everything in it is shown as text. */
export function MatchText({ match }: { match: NonNullable<FoundCall['match']> }) {
  return (
    <p className={classes.match} dir="auto">
      {pieces(match.text, match.marks).map(({ text, hit }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name.
        hit === null ? text : <mark key={index}>{text}</mark>,
      )}
    </p>
  );
}
