import type { Scorecard } from '@call-analytics/contracts';
import { Alert, Card, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { texts } from '../texts/index.ts';
import { type Show, ShowWords, scorecardQuery } from './parts.tsx';

const words = texts.report.scorecard;

/** The questions that a call was judged by, each with a way to its words; nothing if it was judged by none. */
export function ScorecardTable({ callId, show }: { callId: string; show: Show }) {
  const { data } = useQuery(scorecardQuery(callId));
  if (data === undefined || data.questions.length === 0) return null;
  const { version, failedBy, questions } = data;
  return (
    <Card component="section">
      <Title order={2}>{words.title}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {version === null || version === 0 ? words.standard : words.own(version)}
      </Text>
      {failedBy !== null && (
        <Alert color="red" variant="light" mb="sm">
          {words.failedBy(failedBy)}
        </Alert>
      )}
      <Table.ScrollContainer minWidth={320}>
        <Table verticalSpacing="xs" horizontalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words.question}</Table.Th>
              <Table.Th scope="col" style={{ whiteSpace: 'nowrap' }}>
                {words.answer}
              </Table.Th>
              <Table.Th scope="col" ta="right">
                {words.points}
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
      {questions.some(({ answer }) => answer === 'not_judged') && (
        <Text size="sm" c="dimmed" mt="xs">
          {words.notJudged}
        </Text>
      )}
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
            {words.autoFail}
          </Text>
        )}
        {isAbsent && (
          <Text size="sm" c="dimmed">
            {words.absent}
          </Text>
        )}
        {said !== null && (
          <Text size="sm" c="dimmed" component="div">
            “{said.quote}” <ShowWords words={said} show={show} />
          </Text>
        )}
      </Table.Th>
      <Table.Td style={{ whiteSpace: 'nowrap' }} {...(!isJudged && { c: 'dimmed' })}>
        {words.answers[answer]}
      </Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
        {of > 0 && words.pointsOf(points, of)}
      </Table.Td>
    </Table.Tr>
  );
}
