import type { AnalysisEngine, Scorecard } from '@call-analytics/contracts';
import { Alert, Button, Card, Group, NativeSelect, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { answered, api, errorText } from '../api/client.ts';
import { callPartQuery } from '../api/queries.ts';
import { refetchCalls } from '../calls/requests.ts';
import { newIdempotencyKey } from '../calls/upload/queue.ts';
import { shownMoment } from '../common/format.ts';
import { notify } from '../common/notices.tsx';
import { Note } from '../common/page.tsx';
import { analyses as words } from '../texts/en/on-demand.ts';
import { texts } from '../texts/index.ts';
import { type Show, ShowWords } from './parts.tsx';
import classes from './report.module.css';

/** The analyses of a call, what the call has cost, and a button for a new analysis. */
export function Analyses({ callId }: { callId: string }) {
  const params = { path: { id: callId } };
  const { data: known } = useQuery(callPartQuery(callId, 'analyses'));
  const { data: costs } = useQuery(callPartQuery(callId, 'costs'));
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
      {costs !== undefined && costs.dollars !== 0 && <Note>{words.cost(costs.dollars)}</Note>}
    </Card>
  );
}

const scorecardWords = texts.report.scorecard;

/** The questions that a call was judged by, each with a way to its words; nothing if it was judged by none. */
export function ScorecardTable({ callId, show }: { callId: string; show: Show }) {
  const { data } = useQuery(callPartQuery(callId, 'scorecard'));
  if (data === undefined || data.questions.length === 0) return null;
  const { version, failedBy, questions } = data;
  return (
    <Card component="section">
      <Title order={2}>{scorecardWords.title}</Title>
      <Note mb="sm">{version === null || version === 0 ? scorecardWords.standard : scorecardWords.own(version)}</Note>
      {failedBy !== null && (
        <Alert color="red" variant="light" mb="sm">
          {scorecardWords.failedBy(failedBy)}
        </Alert>
      )}
      <Table.ScrollContainer minWidth={320}>
        <Table verticalSpacing="xs" horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{scorecardWords.question}</Table.Th>
              <Table.Th scope="col" style={{ whiteSpace: 'nowrap' }}>
                {scorecardWords.answer}
              </Table.Th>
              <Table.Th scope="col" ta="right">
                {scorecardWords.points}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {questions.map((each) => (
              <Row key={each.question} judged={each} isOwn={version !== 0} show={show} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {questions.some(({ answer }) => answer === 'not_judged') && <Note mt="xs">{scorecardWords.notJudged}</Note>}
    </Card>
  );
}

interface RowProps {
  judged: Scorecard['questions'][number];
  isOwn: boolean;
  show: Show;
}

function Row({ judged, isOwn, show }: RowProps) {
  const { question, answer, check, words: said, points, of, autoFail } = judged;
  // The default rubric also has questions that are counted, not heard.
  const isAbsent = answer === 'no' && said === null && (isOwn || check !== null);
  const isJudged = answer === 'yes' || answer === 'no';
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={450} style={{ overflowWrap: 'anywhere' }}>
        <bdi>{question}</bdi>
        {autoFail && (
          <Text size="xs" c="dimmed">
            {scorecardWords.autoFail}
          </Text>
        )}
        {isAbsent && <Note>{scorecardWords.absent}</Note>}
        {said !== null && (
          <Text size="sm" c="dimmed" component="div">
            “{said.quote}” <ShowWords words={said} show={show} />
          </Text>
        )}
      </Table.Th>
      <Table.Td style={{ whiteSpace: 'nowrap' }} {...(!isJudged && { c: 'dimmed' })}>
        {scorecardWords.answers[answer]}
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {of > 0 && scorecardWords.pointsOf(points, of)}
      </Table.Td>
    </Table.Tr>
  );
}
