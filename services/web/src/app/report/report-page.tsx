import type { CallDetail } from '@call-analytics/contracts';
import {
  ActionIcon,
  Alert,
  Anchor,
  Button,
  type ButtonProps,
  Card,
  Group,
  Loader,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { answered, api, errorText, ProblemError } from '../api/client.ts';
import { callPartQuery, keys, usePolling } from '../api/queries.ts';
import { deleteCalls, isUnfinished, refetchCalls } from '../calls/requests.ts';
import { ChooseFiles } from '../calls/upload/uploads.tsx';
import { lazyMenu } from '../chunks/chunk.tsx';
import { shownEstimate, shownLength, shownMoment } from '../common/format.ts';
import {
  AlertIcon,
  BackIcon,
  CheckIcon,
  ClockIcon,
  DownIcon,
  DownloadIcon,
  PrintIcon,
  TrashIcon,
} from '../common/icons.tsx';
import { notify } from '../common/notices.tsx';
import { CopyButton, Failed, Note, Page } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import classes from './report.module.css';
import { Facts, Report } from './report.tsx';
import { asText, fileWords } from './report-file.ts';
import { Transcript } from './transcript.tsx';

const words = texts.report;

/**
 * The page of a call: its report, its progress, or why it failed. The frame does not change, so the focus stays on the
 * heading.
 */
export function ReportPage() {
  const { id = '' } = useParams({ strict: false });
  const interval = usePolling(true);
  const { data, error, refetch } = useQuery({
    ...callQuery(id),
    refetchInterval: ({ state }) =>
      isGone(state.error) || (state.data !== undefined && !isUnfinished(state.data.status)) ? false : interval,
  });
  // The call may have been deleted while its page was open.
  const isMissing = isGone(error);
  const call = isMissing ? undefined : data;
  const frame = (title: string, content: ReactNode, actions?: ReactNode) => (
    <Page title={title} above={<BackToCalls />} actions={actions}>
      <Announcement isDone={call?.status === 'completed'} isKnown={call !== undefined} />
      {content}
    </Page>
  );
  if (isMissing) return frame(words.missing, <Missing />);
  if (call === undefined)
    return frame(words.title, error === null ? <Waiting /> : <Failed error={error} retry={() => void refetch()} />);
  const content = isUnfinished(call.status) ? (
    <InProgress call={call} />
  ) : call.status === 'failed' ? (
    <FailedCall call={call} />
  ) : (
    <Report call={call} />
  );
  return frame(call.fileName, <div className={classes.body}>{content}</div>, <Actions call={call} />);
}

function isGone(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 404;
}

/** Announces to screen readers that the report is ready. */
function Announcement({ isDone, isKnown }: { isDone: boolean; isKnown: boolean }) {
  const hasWaited = useRef(false);
  useEffect(() => {
    if (isKnown && !isDone) hasWaited.current = true;
  }, [isKnown, isDone]);
  return (
    <div role="status" className={classes.unseen}>
      {isDone && hasWaited.current ? words.done : ''}
    </div>
  );
}

function BackToCalls() {
  return (
    <Anchor size="sm" className={classes.back} renderRoot={(props) => <Link to="/calls" {...props} />}>
      <BackIcon size={16} /> {texts.report.back}
    </Anchor>
  );
}

/** A call with its report. */
function callQuery(id: string) {
  return queryOptions({
    queryKey: keys.call(id),
    queryFn: ({ signal }) => answered(api.GET('/api/v1/calls/{id}', { params: { path: { id } }, signal })),
  });
}

/** A placeholder while the report loads. */
function Waiting() {
  return (
    <Stack gap="md" role="status" aria-label={texts.common.loading}>
      <Skeleton height={140} radius="lg" />
      <Skeleton height={110} radius="lg" />
      <Skeleton height={220} radius="lg" />
    </Stack>
  );
}

/** Shown for a call that does not exist or belongs to another account, without saying which. */
function Missing() {
  return (
    <Stack align="flex-start" gap="lg">
      <Text c="dimmed">{words.missingWhy}</Text>
      <Button renderRoot={(props) => <Link to="/calls" {...props} />}>{texts.common.toCalls}</Button>
    </Stack>
  );
}

/** Why the call failed and what to do, with the transcript if there is one. */
function FailedCall({ call }: { call: CallDetail }) {
  const retry = useMutation({
    mutationFn: () => answered(api.POST('/api/v1/calls/{id}/retry', { params: { path: { id: call.id } } })),
    onError: (error) => notify({ tone: 'error', title: words.retryFailed, message: errorText(error), shownMs: 10_000 }),
    onSettled: () => refetchCalls([call.id]),
  });
  return (
    <Stack gap="md">
      <Alert icon={<AlertIcon />} color="red" variant="light" title={words.failed} radius="lg">
        <Stack gap="md" align="flex-start">
          {call.errorMessage !== undefined && <Text className={classes.prose}>{call.errorMessage}</Text>}
          <Group gap="sm">
            {call.retryable === true && (
              <Button size="sm" loading={retry.isPending} onClick={() => retry.mutate()}>
                {words.retry}
              </Button>
            )}
            <ChooseFiles label={words.uploadAgain} size="sm" />
          </Group>
        </Stack>
      </Alert>
      <Facts call={call} />
      {call.transcript !== '' && <Transcript transcript={call.transcript} />}
    </Stack>
  );
}

const STEPS = ['queued', 'transcribing', 'analyzing', 'completed'] as const;
type Unfinished = keyof typeof words.now;

/** The progress of a call through its stages. */
function InProgress({ call }: { call: CallDetail }) {
  const now = (STEPS as readonly string[]).indexOf(call.status);
  const { data: progress } = useQuery({ ...callPartQuery(call.id, 'progress'), refetchInterval: usePolling(true) });
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
                ) : step === 'queued' || progress?.waitingFor != null ? (
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
          {progress !== undefined && call.status === 'transcribing' && progress.secondsDone > 0 && (
            <Text>{words.transcribed(shownLength(progress.secondsDone), shownLength(progress.seconds))}</Text>
          )}
          {progress?.queue != null && (
            <Text>
              {words.position(progress.queue.position)}
              {progress.queue.startsInSeconds !== null &&
                ` ${words.startsIn(shownEstimate(progress.queue.startsInSeconds))}`}
            </Text>
          )}
          {progress?.waitingFor != null && <Text>{words.waitingSince(shownMoment(progress.waitingFor.since))}</Text>}
          <Note>{words.nowWhere}</Note>
        </Stack>
        <Note>
          {words.uploaded}: {shownMoment(call.createdAt)}
        </Note>
      </Stack>
    </Card>
  );
}

const DownloadMenu = lazyMenu(async () => (await import('./download-menu.tsx')).DownloadMenu);

/** The actions on a call. */
function Actions({ call }: { call: CallDetail }) {
  const navigate = useNavigate();
  const isReadable = call.status === 'completed' || call.transcript !== '';
  return (
    <Group gap="xs" className={classes.actions}>
      {isReadable && (
        <>
          <CopyButton value={asText(call, fileWords)} label={words.copy} size="sm" />
          <DownloadMenu call={call} button={<DownloadButton />} />
          <ActionIcon
            size={36}
            variant="default"
            aria-label={words.print}
            title={words.print}
            onClick={() => window.print()}
          >
            <PrintIcon size={18} />
          </ActionIcon>
        </>
      )}
      <ActionIcon
        size={36}
        variant="default"
        aria-label={words.delete}
        title={words.delete}
        onClick={() => {
          void navigate({ to: '/calls' });
          void deleteCalls([call.id]);
        }}
      >
        <TrashIcon size={18} />
      </ActionIcon>
    </Group>
  );
}

function DownloadButton(rest: ButtonProps & ComponentProps<'button'>) {
  return (
    <Button
      variant="default"
      leftSection={<DownloadIcon size={16} />}
      rightSection={<DownIcon size={16} />}
      aria-haspopup="menu"
      {...rest}
    >
      {words.download}
    </Button>
  );
}
