import type { CallStatus } from '@call-analytics/contracts';
import { Loader } from '@mantine/core';
import { AlertIcon, CheckIcon } from '../common/icons.tsx';
import { texts } from '../texts/texts.ts';
import classes from './calls.module.css';
import { ClockIcon } from './icons.tsx';

/** The state of a call: each has its word and its sign, so that nobody needs the colour. */
export function CallState({ status }: { status: CallStatus }) {
  return (
    <span className={classes.state} data-status={status}>
      <Sign status={status} />
      {texts.calls.statuses[status]}
    </span>
  );
}

function Sign({ status }: { status: CallStatus }) {
  if (status === 'completed') return <CheckIcon size={14} />;
  if (status === 'failed') return <AlertIcon size={14} />;
  if (status === 'queued') return <ClockIcon size={14} />;
  return <Loader size={12} color="currentColor" aria-hidden="true" />;
}
