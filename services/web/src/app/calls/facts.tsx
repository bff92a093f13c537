import type { CallStatus, FoundCall, SaleStatus as Status, Wait } from '@call-analytics/contracts';
import { Group, Loader, Text, VisuallyHidden } from '@mantine/core';
import { bandOf } from '../common/format.ts';
import { AlertIcon, CheckIcon, ClockIcon, SaleIcon } from '../common/icons.tsx';
import { pieces } from '../report/transcript-text.ts';
import { texts } from '../texts/index.ts';
import classes from './calls.module.css';

interface CallStateProps {
  status: CallStatus;
  waitingFor?: Wait | null;
  queuePosition?: number | null;
}

/** The state of a call. Each has a word and an icon, so that color is not needed. */
export function CallState({ status, waitingFor = null, queuePosition = null }: CallStateProps) {
  const { statuses, queued } = texts.calls;
  const word = queuePosition === null ? statuses[status] : queued(queuePosition);
  return (
    <span className={classes.state} data-status={status}>
      <Sign status={waitingFor === null ? status : 'queued'} />
      {waitingFor === null ? word : texts.calls.waitingFor[waitingFor]}
    </span>
  );
}

function Sign({ status }: { status: CallStatus }) {
  if (status === 'completed') return <CheckIcon size={14} />;
  if (status === 'failed') return <AlertIcon size={14} />;
  if (status === 'queued') return <ClockIcon size={14} />;
  return <Loader size={12} color="currentColor" aria-hidden="true" />;
}

/** The outcome of a call as an icon and a word. */
export function SaleStatus({ status }: { status: Status }) {
  return (
    <Group gap={7} wrap="nowrap" component="span" display="inline-flex" style={{ verticalAlign: 'middle' }}>
      <SaleIcon status={status} />
      <Text span size="sm" style={{ whiteSpace: 'nowrap' }}>
        {texts.calls.saleStatuses[status]}
      </Text>
    </Group>
  );
}

/** A score as a number and a bar. */
export function Score({ score }: { score: number }) {
  return (
    <span className={classes.score}>
      <span aria-hidden="true">{score}</span>
      <VisuallyHidden>{texts.calls.score(score)}</VisuallyHidden>
      <span className={classes.scoreBar} aria-hidden="true">
        <span data-band={bandOf(score)} style={{ width: `${score}%` }} />
      </span>
    </span>
  );
}

/** The transcript line that matches the search, with the words marked. Its content is shown as text. */
export function MatchText({ match }: { match: NonNullable<FoundCall['match']> }) {
  return (
    <p className={classes.match} dir="auto">
      {pieces(match.text, match.marks).map(({ text, hit }, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name.
        hit === null ? text : <mark key={index}>{text}</mark>,
      )}
    </p>
  );
}
