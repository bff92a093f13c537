import type { AnalysisEngine } from '@call-analytics/contracts';
import { Button, Card, Group, NativeSelect, Text, Title } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { answered, api, errorText } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { refetchCalls } from '../calls/requests.ts';
import { newIdempotencyKey } from '../calls/upload/queue.ts';
import { shownMoment } from '../common/format.ts';
import { notify } from '../common/notices.tsx';
import { analyses as words } from '../texts/en/on-demand.ts';
import { texts } from '../texts/index.ts';
import classes from './report.module.css';

/** The analyses of a call, what the call has cost, and a button for a new analysis. */
export function Analyses({ callId }: { callId: string }) {
  const params = { path: { id: callId } };
  const { data: known } = useQuery(analysesQuery(callId));
  const { data: costs } = useQuery(costsQuery(callId));
  /** Sent again until an answer has come, so that a lost one is not paid for twice. */
  const key = useRef(newIdempotencyKey());
  const [engine, setEngine] = useState<AnalysisEngine>();
  const engines = known?.engines ?? [];
  const again = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/api/v1/calls/{id}/analyses', {
          params: { ...params, header: { 'Idempotency-Key': key.current } },
          body: engine === undefined ? {} : { engine },
        }),
      ),
    onSuccess: () => {
      key.current = newIdempotencyKey();
    },
    onError: (error) => notify({ tone: 'error', title: words.failed, message: errorText(error), shownMs: 10_000 }),
    onSettled: () => refetchCalls([callId]),
  });
  return (
    <Card component="section" className={classes.analyses}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{words.title}</Title>
        <Group gap="xs">
          {engines.length > 1 && (
            <NativeSelect
              aria-label={words.engine}
              size="sm"
              value={engine ?? engines[0] ?? ''}
              data={engines.map((value) => ({ value, label: words.engines[value] }))}
              onChange={({ currentTarget }) => {
                setEngine(engines.find((each) => each === currentTarget.value));
                // Another request must not be taken for the one before.
                key.current = newIdempotencyKey();
              }}
            />
          )}
          <Button variant="default" size="sm" loading={again.isPending} onClick={() => again.mutate()}>
            {words.again}
          </Button>
        </Group>
      </Group>
      <ul className={classes.points}>
        {known?.analyses.map(({ at, engine, score, reportType, scorecardVersion, dollars }) => (
          <li key={at}>
            {shownMoment(at)} · {engine} · {texts.calls.upload.reportTypes[reportType]}
            {scorecardVersion !== null && ` · ${words.scorecard(scorecardVersion)}`}
            {score !== null && ` · ${texts.calls.score(score)}`}
            {dollars !== null && dollars > 0 && ` · ${words.dollars(dollars)}`}
          </li>
        ))}
      </ul>
      {costs !== undefined && costs.dollars !== 0 && (
        <Text size="sm" c="dimmed">
          {words.cost(costs.dollars)}
        </Text>
      )}
    </Card>
  );
}

function analysesQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.call(id), 'analyses'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/calls/{id}/analyses', { params: { path: { id } }, signal })),
  });
}

function costsQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.call(id), 'costs'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/calls/{id}/costs', { params: { path: { id } }, signal })),
  });
}
