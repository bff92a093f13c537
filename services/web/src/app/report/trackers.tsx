import type { CallTrackers } from '@call-analytics/contracts';
import { Card, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answered, api } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { SearchIcon } from '../common/icons.tsx';
import { texts } from '../texts/index.ts';
import classes from './report.module.css';
import { ShowWords, type Words } from './report.tsx';

const words = texts.report.trackers;
/** Further places are found with the search of the transcript. */
const MOST_SHOWN = 10;

/** What the account's trackers find in a call, each place with a way to it; nothing if they find nothing. */
export function TrackersFound({ callId, show }: { callId: string; show: (words: Words) => void }) {
  const { data } = useQuery({
    queryKey: [...keys.call(callId), 'trackers'],
    queryFn: ({ signal }) =>
      answered(api.GET('/api/v1/calls/{id}/trackers', { params: { path: { id: callId } }, signal })),
  });
  const shown = data?.trackers.filter(({ result }) => result === 'found' || result === 'missing') ?? [];
  const notJudged = data?.trackers.filter(({ result, kind }) => result === 'not_judged' && kind === 'required') ?? [];
  if (shown.length === 0 && notJudged.length === 0) return null;
  return (
    <Card component="section">
      <Group gap={10} mb="sm" className={classes.findingsHead}>
        <SearchIcon />
        <Title order={2}>{words.title}</Title>
      </Group>
      <ul className={classes.points}>
        {shown.map((tracker) => (
          <li key={tracker.tracker}>
            <Found tracker={tracker} show={show} />
          </li>
        ))}
      </ul>
      {notJudged.length > 0 && (
        <Text size="sm" c="dimmed" mt={shown.length > 0 ? 'sm' : 0}>
          {words.notJudged(notJudged.map(({ tracker }) => tracker))}
        </Text>
      )}
    </Card>
  );
}

function Found({ tracker, show }: { tracker: CallTrackers['trackers'][number]; show: (words: Words) => void }) {
  const { tracker: name, who, result, hits } = tracker;
  if (result === 'missing')
    return (
      <>
        <b>
          <bdi>{name}</bdi>
        </b>
        : {words.missing[who]}
      </>
    );
  const further = hits.length - MOST_SHOWN;
  return (
    <>
      <b>
        <bdi>{name}</bdi>
      </b>
      :{' '}
      {hits.slice(0, MOST_SHOWN).map((hit, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two hits may be the same, and they never change places.
        <span key={index}>
          {index > 0 && ', '}
          <span>{words.said(hit.quote, hit.speaker)}</span> <ShowWords words={hit} show={show} />
        </span>
      ))}
      {further > 0 && ` ${words.further(further)}`}
    </>
  );
}
