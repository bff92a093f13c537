import { ActionIcon, Card, CloseButton, Group, Text, TextInput, Title } from '@mantine/core';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { DownIcon, UpIcon } from '../calls/icons.tsx';
import { SearchIcon } from '../common/icons.tsx';
import { texts } from '../texts/texts.ts';
import { readTranscript } from './read-transcript.ts';
import classes from './report.module.css';
import { type Hit, MAX_HITS, search } from './search.ts';
import { TranscriptLines } from './transcript-lines.tsx';

const words = texts.report;

/** What was said, by whom, and a search in it. @param transcript empty when there was no speech */
export function Transcript({ transcript }: { transcript: string }) {
  const lines = useMemo(() => readTranscript(transcript), [transcript]);
  const spoken = useMemo(() => lines.map(({ text }) => text), [lines]);
  const [wanted, setWanted] = useState('');
  const deferred = useDeferredValue(wanted);
  const hits = useMemo(() => search(spoken, deferred), [spoken, deferred]);
  const [at, setAt] = useState(0);
  const current = hits[Math.min(at, hits.length - 1)] ?? null;
  const step = (by: number) => setAt((at + by + hits.length) % Math.max(1, hits.length));
  const list = useRef<HTMLElement>(null);
  useEffect(() => showHit(list.current, current), [current]);
  return (
    <Card padding={0} className={classes.transcript}>
      <div className={classes.transcriptHead}>
        <Title order={2}>{words.transcript}</Title>
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
          <TranscriptLines lines={lines} hits={hits} current={current} />
        )}
      </section>
    </Card>
  );
}

/** Brings a hit into view, moving no more than is needed. */
function showHit(list: HTMLElement | null, hit: Hit | null): void {
  if (hit === null) return;
  list?.querySelector('mark[data-current]')?.scrollIntoView({ block: 'nearest' });
}
