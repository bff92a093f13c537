import type { CallStatus } from '@call-analytics/contracts';
import { Badge, Loader } from '@mantine/core';
import { AlertIcon, CheckIcon } from '../common/icons.tsx';
import { texts } from '../texts/texts.ts';
import { ClockIcon } from './icons.tsx';

const COLOURS: Record<CallStatus, string> = { queued: 'gray', transcribing: 'ink', analyzing: 'ink', completed: 'teal', failed: 'red' };

/** The state of a call: each has its word and its sign, so that nobody needs the colour. */
export function CallState({ status }: { status: CallStatus }) {
  return (
    <Badge color={COLOURS[status]} size="lg" radius="xl" leftSection={<Sign status={status} />} style={{ flexShrink: 0 }}>
      {texts.calls.statuses[status]}
    </Badge>
  );
}

function Sign({ status }: { status: CallStatus }) {
  if (status === 'completed') return <CheckIcon size={14} />;
  if (status === 'failed') return <AlertIcon size={14} />;
  if (status === 'queued') return <ClockIcon size={14} />;
  return <Loader size={12} color="currentColor" aria-hidden="true" />;
}
