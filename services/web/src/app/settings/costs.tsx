import type { AccountCosts } from '@call-analytics/contracts';
import { Card, Group, SegmentedControl, Table, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { Loaded } from '../common/page.tsx';
import { costs as words } from '../texts/en/spending.ts';

type By = 'day' | 'month';
const MONTHS = 12;
const DAYS = 31;

/** What calls of the account have cost by month or day: UTC, as the limit of a day is. */
export function Costs() {
  const [by, setBy] = useState<By>('month');
  const query = useQuery(costsQuery(by));
  return (
    <Card mt="md">
      <Group justify="space-between" mb="sm">
        <Title order={3}>{words.title}</Title>
        <SegmentedControl
          size="xs"
          aria-label={words.by}
          value={by}
          data={[
            { value: 'month', label: words.byMonth(MONTHS) },
            { value: 'day', label: words.byDay(DAYS) },
          ]}
          onChange={(value) => setBy(value === 'day' ? 'day' : 'month')}
        />
      </Group>
      <Loaded of={query} heights={[120]}>
        {({ periods, total }) =>
          periods.length === 0 ? (
            <Text c="dimmed">{words.none}</Text>
          ) : (
            <>
              <Table aria-label={words.title}>
                <Table.Thead>
                  <Table.Tr>
                    {words.columns.map((column, index) => (
                      <Table.Th key={column} {...shownFrom(index)}>
                        {column}
                      </Table.Th>
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {[...periods.toReversed(), { period: words.total, ...total }].map((row) => (
                    <Table.Tr key={row.period}>
                      <Table.Th scope="row">{row.period}</Table.Th>
                      {cellsOf(row).map((text, index) => (
                        <Table.Td key={words.columns[index + 1]} {...shownFrom(index + 1)}>
                          {text}
                        </Table.Td>
                      ))}
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              {total.unpriced > 0 && (
                <Text c="dimmed" mt="sm">
                  {words.unpriced(total.unpriced)}
                </Text>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

/** The stages apart have no room on a phone. */
function shownFrom(column: number) {
  return column === 3 || column === 4 ? ({ visibleFrom: 'sm' } as const) : {};
}

function cellsOf({ calls, seconds, transcription, analysis, dollars }: AccountCosts['total']): string[] {
  return [words.count(calls), words.hours(seconds), ...[transcription, analysis, dollars].map(words.money)];
}

function costsQuery(by: By) {
  const now = new Date();
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const first = by === 'month' ? Date.UTC(year, month - MONTHS + 1, 1) : Date.UTC(year, month, day - DAYS + 1);
  const [from = '', to = ''] = [new Date(first), now].map((date) => date.toISOString().slice(0, 10));
  return queryOptions({
    queryKey: [...keys.spending, 'costs', by, from, to],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/costs', { params: { query: { from, to, by } }, signal })),
  });
}
