import { memo } from 'react';
import { texts } from '../texts/texts.ts';
import { type Speaker, sameSpeaker, type TranscriptLine } from './read-transcript.ts';
import classes from './report.module.css';
import { type Hit, pieces } from './search.ts';

const words = texts.report;
const NO_HITS: readonly Hit[] = [];

/** The lines of a transcript. A label stands where the speaker changes; each speaker has a colour, a shape and a name. */
export function TranscriptLines({
  lines,
  hits,
  current,
}: {
  lines: readonly TranscriptLine[];
  hits: readonly Hit[];
  current: Hit | null;
}) {
  const byLine = Map.groupBy(hits, ({ line }) => line);
  return (
    <ol className={classes.turns}>
      {lines.map(({ speaker, text }, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never change places.
          key={index}
          speaker={speaker}
          text={text}
          isFirst={index === 0 || !sameSpeaker(speaker, lines[index - 1]?.speaker)}
          hits={byLine.get(index) ?? NO_HITS}
          current={current?.line === index ? current : null}
        />
      ))}
    </ol>
  );
}

interface LineProps {
  speaker: Speaker | null;
  text: string;
  isFirst: boolean;
  hits: readonly Hit[];
  current: Hit | null;
}

/** Drawn anew only when its own hits change: a long call has thousands of lines. */
const Line = memo(
  function Line({ speaker, text, isFirst, hits, current }: LineProps) {
    return (
      <li className={classes.line} data-voice={voiceOf(speaker)} data-first={isFirst || undefined}>
        {speaker !== null && (
          <span className={isFirst ? classes.speaker : classes.unseen}>
            <span className={classes.shape} aria-hidden="true" />
            {nameOf(speaker)}
          </span>
        )}
        <p dir="auto">
          {pieces(text, hits).map((piece, index) =>
            piece.hit === null ? (
              piece.text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name.
              <mark key={index} data-current={piece.hit === current || undefined}>
                {piece.text}
              </mark>
            ),
          )}
        </p>
      </li>
    );
  },
  (before, after) =>
    before.text === after.text &&
    before.isFirst === after.isFirst &&
    before.current === after.current &&
    (before.hits === after.hits || (before.hits.length === 0 && after.hits.length === 0)),
);

function nameOf(speaker: Speaker): string {
  return speaker.role === 'other' ? words.speaker(speaker.number) : words[speaker.role];
}

/** Two voices have a colour of their own, also when nobody knows yet who is who; any further one is grey. */
function voiceOf(speaker: Speaker | null): 'one' | 'two' | 'other' | undefined {
  if (speaker === null) return undefined;
  if (speaker.role === 'manager' || (speaker.role === 'other' && speaker.number === 1)) return 'one';
  return speaker.role === 'other' && speaker.number !== 2 ? 'other' : 'two';
}
