import type { Overview } from '@call-analytics/contracts';
import { Table } from '@mantine/core';
import { shownDay } from '../common/dates.ts';
import { texts } from '../texts/texts.ts';
import type { Bucket } from './buckets.ts';
import { startOfDay } from './days.ts';

const words = texts.overview;

/** The numbers behind the bars. Days without a call are left out. */
export function CallsTable({ by, buckets }: { by: 'day' | 'week'; buckets: readonly Bucket[] }) {
  return (
    <Table
      horizontalSpacing="xs"
      data={{
        head: [words[by], words.completed, words.inWork, words.failed],
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
        head: [words.day, words.score],
        body: days.flatMap(({ date, averageScore }) =>
          averageScore === null ? [] : [[shownDay(startOfDay(date)), Math.round(averageScore)]],
        ),
      }}
    />
  );
}
