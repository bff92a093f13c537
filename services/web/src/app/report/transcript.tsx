import type { CallTranscript } from '@call-analytics/contracts';
import { ActionIcon, Card, CloseButton, Group, Text, TextInput, Title } from '@mantine/core';
import { memo, type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { DownIcon, SearchIcon, UpIcon } from '../common/icons.tsx';
import { texts } from '../texts/index.ts';
import report from './report.module.css';
import classes from './transcript.module.css';
import {
  type Hit,
  MAX_HITS,
  pieces,
  readTranscript,
  type Speaker,
  sameSpeaker,
  search,
  type TranscriptLine,
  within,
} from './transcript-text.ts';

const words = texts.report;

export type Misheard = NonNullable<CallTranscript['turns'][number]['misheard']>[number];

/** Words of a line, to be shown. Each object is shown once. */
export interface ShownWords {
  line: number;
  quote: string;
}

interface TranscriptProps {
  /** Empty if there was no speech. */
  transcript: string;
  /** Scrolled to and marked until something is searched. */
  shown?: ShownWords | null;
  /** What was misheard, by line. */
  misheard?: readonly (readonly Misheard[])[];
  /** Beside the heading. */
  action?: ReactNode;
}

/** The transcript with a search. */
export function Transcript({ transcript, shown = null, misheard = [], action }: TranscriptProps) {
  const lines = useMemo(() => readTranscript(transcript), [transcript]);
  const spoken = useMemo(() => lines.map(({ text }) => text), [lines]);
  const [wanted, setWanted] = useState('');
  const deferred = useDeferredValue(wanted);
  const hits = useMemo(() => {
    if (deferred.trim() !== '') return search(spoken, deferred);
    return shown === null
      ? []
      : search([spoken[shown.line] ?? ''], shown.quote)
          .slice(0, 1)
          .map((hit) => ({ ...hit, line: shown.line }));
  }, [spoken, deferred, shown]);
  const [at, setAt] = useState(0);
  // Words that are to be shown replace a search.
  useEffect(() => {
    if (shown !== null) setWanted('');
  }, [shown]);
  const current = hits[Math.min(at, hits.length - 1)] ?? null;
  const step = (by: number) => setAt((at + by + hits.length) % Math.max(1, hits.length));
  const list = useRef<HTMLElement>(null);
  useEffect(() => showHit(list.current, current), [current]);
  return (
    <Card padding={0} className={classes.transcript}>
      <div className={classes.transcriptHead}>
        <Group gap="sm">
          <Title order={2}>{words.transcript}</Title>
          {lines.length > 0 && action}
        </Group>
        {lines.length > 0 && (
          <search className={classes.search}>
            <TextInput
              aria-label={words.search}
              placeholder={words.search}
              leftSection={<SearchIcon size={18} />}
              className={classes.searchText}
              value={wanted}
              onChange={({ currentTarget: { value } }) => {
                setWanted(value);
                setAt(0);
              }}
              onKeyDown={({ key, shiftKey, nativeEvent }) => {
                if (nativeEvent.isComposing) return;
                if (key === 'Enter') step(shiftKey ? -1 : 1);
                if (key === 'Escape') setWanted('');
              }}
              rightSection={
                wanted !== '' && <CloseButton size="sm" aria-label={words.clearSearch} onClick={() => setWanted('')} />
              }
            />
            {wanted.trim() !== '' && (
              <Group gap={2} wrap="nowrap">
                <Text size="sm" c="dimmed" role="status" className={classes.count}>
                  {current === null
                    ? words.notFoundInTranscript
                    : words.found(hits.indexOf(current) + 1, hits.length, hits.length === MAX_HITS)}
                </Text>
                <ActionIcon aria-label={words.previousHit} disabled={hits.length === 0} onClick={() => step(-1)}>
                  <UpIcon />
                </ActionIcon>
                <ActionIcon aria-label={words.nextHit} disabled={hits.length === 0} onClick={() => step(1)}>
                  <DownIcon />
                </ActionIcon>
              </Group>
            )}
          </search>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className={classes.lines} ref={list} tabIndex={0} aria-label={words.transcript}>
        {lines.length === 0 ? (
          <Text c="dimmed">{words.noTranscript}</Text>
        ) : (
          <TranscriptLines lines={lines} hits={hits} current={current} misheard={misheard} />
        )}
      </section>
    </Card>
  );
}

/** Scrolls to a hit, no further than needed. */
function showHit(list: HTMLElement | null, hit: Hit | null): void {
  if (hit === null) return;
  list?.querySelector('mark[data-current]')?.scrollIntoView({ block: 'nearest' });
}

const NO_HITS: readonly Hit[] = [];
const NONE: readonly Misheard[] = [];

interface TranscriptLinesProps {
  lines: readonly TranscriptLine[];
  hits: readonly Hit[];
  current: Hit | null;
  misheard: readonly (readonly Misheard[])[];
}

/** The lines of a transcript. A label marks each change of speaker, by color, shape and name. */
function TranscriptLines({ lines, hits, current, misheard }: TranscriptLinesProps) {
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
          misheard={misheard[index] ?? NONE}
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
  misheard: readonly Misheard[];
}

/** Renders again only when its own hits change: a long call has thousands of lines. */
const Line = memo(
  function Line({ speaker, text, isFirst, hits, current, misheard }: LineProps) {
    return (
      <li className={classes.line} data-voice={voiceOf(speaker)} data-first={isFirst || undefined}>
        {speaker !== null && (
          <span className={isFirst ? classes.speaker : report.unseen}>
            <span className={classes.shape} aria-hidden="true" />
            {nameOf(speaker)}
          </span>
        )}
        <p dir="auto">
          {pieces(text, misheard.map(placed)).map((piece) => {
            const marked = <Marked key={piece.start} piece={piece} hits={hits} current={current} />;
            if (piece.hit === null) return marked;
            const heard = words.heardAs(piece.hit.heard);
            return (
              <span key={piece.start} className={classes.misheard} title={heard}>
                {marked}
                <span className={report.unseen}> ({heard})</span>
              </span>
            );
          })}
        </p>
      </li>
    );
  },
  (before, after) =>
    before.text === after.text &&
    before.isFirst === after.isFirst &&
    before.current === after.current &&
    before.misheard === after.misheard &&
    (before.hits === after.hits || (before.hits.length === 0 && after.hits.length === 0)),
);

const placed = (each: Misheard) => ({ ...each, start: each.at, end: each.at + each.term.length });

/** A piece of a line with its hits. */
function Marked({
  piece,
  hits,
  current,
}: Pick<LineProps, 'hits' | 'current'> & { piece: { start: number; text: string } }) {
  return pieces(piece.text, within(piece, hits)).map(({ start, text, hit }) =>
    hit === null ? (
      text
    ) : (
      <mark key={start} data-current={hit.whole === current || undefined}>
        {text}
      </mark>
    ),
  );
}

function nameOf(speaker: Speaker): string {
  return speaker.role === 'other' ? words.speaker(speaker.number) : words[speaker.role];
}

/** Two voices have their own colors, even before their roles are known. Others are gray. */
function voiceOf(speaker: Speaker | null): 'one' | 'two' | 'other' | undefined {
  if (speaker === null) return undefined;
  if (speaker.role === 'manager' || (speaker.role === 'other' && speaker.number === 1)) return 'one';
  return speaker.role === 'other' && speaker.number !== 2 ? 'other' : 'two';
}
