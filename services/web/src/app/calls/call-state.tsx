import type { CallStatus, Dependency } from '@call-analytics/contracts';
import { Loader } from '@mantine/core';
import { AlertIcon, CheckIcon } from '../common/icons.tsx';
import { texts } from '../texts/texts.ts';
import classes from './calls.module.css';
import { ClockIcon } from './icons.tsx';

/** The state of a call: each has its word and its sign, so that nobody needs the colour. */
export function CallState({ status, waitingFor = null }: { status: CallStatus; waitingFor?: Dependency | null }) {
  return (
    <span className={classes.state} data-status={status}>
      <Sign status={waitingFor === null ? status : 'queued'} />
      {waitingFor === null ? texts.calls.statuses[status] : texts.calls.waitingFor[waitingFor]}
    </span>
  );
}

function Sign({ status }: { status: CallStatus }) {
  if (status === 'completed') return <CheckIcon size={14} />;
  if (status === 'failed') return <AlertIcon size={14} />;
  if (status === 'queued') return <ClockIcon size={14} />;
  return <Loader size={12} color="currentColor" aria-hidden="true" />;
}
