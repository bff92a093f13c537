import { VisuallyHidden } from '@mantine/core';
import { bandOf } from '../report/bands.ts';
import { texts } from '../texts/texts.ts';
import classes from './calls.module.css';

/** A score with a bar as long as it is high. */
export function Score({ score }: { score: number }) {
  return (
    <span className={classes.score}>
      <span aria-hidden="true">{score}</span>
      <VisuallyHidden>{texts.calls.score(score)}</VisuallyHidden>
      <span className={classes.scoreBar} aria-hidden="true">
        <span data-band={bandOf(score)} style={{ width: `${score}%` }} />
      </span>
    </span>
  );
}
