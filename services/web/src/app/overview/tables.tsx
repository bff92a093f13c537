import type { Overview } from '@call-analytics/contracts';
import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { shownDay, startOfDay } from '../common/format.ts';
import { Note } from '../common/page.tsx';
import { LOCALE, texts } from '../texts/index.ts';
import type { Bucket } from './range.ts';

const { overview } = texts;
const words = overview.trackers;

/** In how many calls each tracker finds something. A number leads to its calls. */
export function TrackersTable({ overview: { days, trackers } }: { overview: Overview }) {
  const isRequired = trackers.trackers.some(({ kind }) => kind === 'required');
  const notJudged = trackers.trackers.reduce((total, each) => total + each.notJudged, 0);
  const range = { from: days.at(0)?.date, to: days.at(-1)?.date };
  return (
    <>
      <Table.ScrollContainer minWidth={320}>
        <Table verticalSpacing="xs" horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words.name}</Table.Th>
              <Table.Th scope="col" ta="right">
                {words.found}
              </Table.Th>
              {isRequired && (
                <Table.Th scope="col" ta="right">
                  {words.missing}
                </Table.Th>
              )}
              {notJudged > 0 && (
                <Table.Th scope="col" ta="right">
                  {words.notJudged}
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {trackers.trackers.map(({ tracker, kind, found, missing, notJudged: unknown }) => (
              <Table.Tr key={tracker}>
                <Table.Th scope="row" fw={450} style={{ overflowWrap: 'anywhere' }}>
                  <bdi>{tracker}</bdi>
                </Table.Th>
                <Table.Td ta="right">
                  <Calls calls={found} label={words.foundIn(tracker, found)} search={{ ...range, tracker }} />
                </Table.Td>
                {isRequired && (
                  <Table.Td ta="right">
                    {kind === 'required' && (
                      <Calls
                        calls={missing}
                        label={words.missingIn(tracker, missing)}
                        search={{ ...range, tracker, trackerResult: 'missing' }}
                      />
                    )}
                  </Table.Td>
                )}
                {notJudged > 0 && <Table.Td ta="right">{unknown.toLocaleString(LOCALE)}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {notJudged > 0 && <Note mt="xs">{words.notJudgedWhy}</Note>}
    </>
  );
}

interface CallsProps {
  calls: number;
  label: string;
  search: Record<string, string | undefined>;
}

function Calls({ calls, label, search }: CallsProps) {
  const shown = calls.toLocaleString(LOCALE);
  if (calls === 0) return shown;
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/calls" search={search} aria-label={label} {...props} />}>
      {shown}
    </Anchor>
  );
}

/** The numbers of the bars, without days without calls. */
export function CallsTable({ by, buckets }: { by: 'day' | 'week'; buckets: readonly Bucket[] }) {
  return (
    <Table
      horizontalSpacing="xs"
      data={{
        head: [overview[by], overview.completed, overview.inWork, overview.failed],
        body: buckets
          .filter(({ completed, inWork, failed }) => completed + inWork + failed > 0)
          .map(({ from, completed, inWork, failed }) => [shownDay(startOfDay(from)), completed, inWork, failed]),
      }}
    />
  );
}

export function ScoreTable({ days }: { days: Overview['days'] }) {
  return (
    <Table
      horizontalSpacing="xs"
      data={{
        head: [overview.day, overview.score],
        body: days.flatMap(({ date, averageScore }) =>
          averageScore === null ? [] : [[shownDay(startOfDay(date)), Math.round(averageScore)]],
        ),
      }}
    />
  );
}
