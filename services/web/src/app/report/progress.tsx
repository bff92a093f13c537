import type { CallDetail } from '@call-analytics/contracts';
import { Card, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { usePolling } from '../api/live.ts';
import { ClockIcon } from '../calls/icons.tsx';
import { shownMoment } from '../common/dates.ts';
import { CheckIcon } from '../common/icons.tsx';
import { texts } from '../texts/texts.ts';
import { progressQuery } from './call-query.ts';
import classes from './report.module.css';

const words = texts.report;
const STEPS = ['queued', 'transcribing', 'analyzing', 'completed'] as const;
type Unfinished = keyof typeof words.now;

/** Where the call is on its way, and what happens now. */
export function InProgress({ call }: { call: CallDetail }) {
  const now = (STEPS as readonly string[]).indexOf(call.status);
  const { data: progress } = useQuery({ ...progressQuery(call.id), refetchInterval: usePolling(true) });
  return (
    <Card p="xl">
      <Stack gap="xl">
        <ol className={classes.steps} aria-label={words.progress}>
          {STEPS.map((step, index) => (
            <li key={step} data-done={index < now || undefined} aria-current={index === now ? 'step' : undefined}>
              <span className={classes.stepSign}>
                {index < now ? (
                  <CheckIcon size={18} />
                ) : index > now ? (
                  index + 1
                ) : step === 'queued' ? (
                  <ClockIcon size={18} />
                ) : (
                  <Loader size={18} />
                )}
              </span>
              {words.steps[step]}
            </li>
          ))}
        </ol>
        <Stack gap={4} role="status">
          <Text fw={550}>{progress?.waitingFor?.message ?? words.now[call.status as Unfinished]}</Text>
          {progress?.queue != null && <Text>{words.position(progress.queue.position)}</Text>}
          {progress?.waitingFor != null && <Text>{words.waitingSince(shownMoment(progress.waitingFor.since))}</Text>}
          <Text size="sm" c="dimmed">
            {words.nowWhere}
          </Text>
        </Stack>
        <Text size="sm" c="dimmed">
          {words.uploaded}: {shownMoment(call.createdAt)}
        </Text>
      </Stack>
    </Card>
  );
}
