import type { CallStatus } from '@call-analytics/contracts';
import { ActionIcon, Anchor, Group, Progress, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { AlertIcon, CheckIcon, CloseIcon } from '../../common/icons.tsx';
import { texts } from '../../texts/texts.ts';
import { isUnfinished } from '../list-query.ts';
import { shownBytes, shownSeconds } from './format.ts';
import classes from './upload.module.css';
import { mayPass, type Upload, type UploadState } from './upload.ts';
import { uploads } from './uploads.ts';
import { wordsForRefusal } from './words.ts';

const words = texts.calls.upload;

/** One file on its way, or what has become of it. @param status of its call; undefined while that is not known */
export function UploadRow({
  upload,
  status,
  signedOut,
}: {
  upload: Upload;
  status: CallStatus | undefined;
  signedOut: boolean;
}) {
  const { id, file, state } = upload;
  const isDone = state.kind === 'accepted' || (state.kind === 'failed' && !mayPass(state.refusal));
  return (
    <li className={classes.row}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <div className={classes.rowBody}>
          <Text size="sm" fw={550} className={classes.fileName} title={file.name}>
            <bdi>{file.name}</bdi>
          </Text>
          <Detail upload={upload} status={status} signedOut={signedOut} />
        </div>
        <ActionIcon
          size={32}
          aria-label={(isDone ? words.dismiss : words.cancel)(file.name)}
          onClick={() => uploads.remove(id)}
        >
          <CloseIcon size={16} />
        </ActionIcon>
      </Group>
      {(state.kind === 'sending' || state.kind === 'checking') && (
        <Progress.Root size="sm" mt={8} mr={40}>
          <Progress.Section
            value={percent(state, file.size)}
            animated={state.kind === 'checking'}
            striped={state.kind === 'checking'}
            aria-label={words.progress(file.name)}
          />
        </Progress.Root>
      )}
    </li>
  );
}

function Detail({
  upload: { id, file, state },
  status,
  signedOut,
}: {
  upload: Upload;
  status: CallStatus | undefined;
  signedOut: boolean;
}) {
  switch (state.kind) {
    case 'waiting':
      return <Said>{signedOut ? words.signIn : words.waiting}</Said>;
    case 'sending':
      return <Said>{sendingWords(state, file.size)}</Said>;
    case 'checking':
      return <Said>{words.checking}</Said>;
    case 'pausing':
    case 'failed':
      return (
        <>
          <Text size="xs" c="var(--mantine-color-error)" className={classes.why} role="alert">
            <AlertIcon size={14} /> {wordsForRefusal(state.refusal, file.size)}
            {state.kind === 'pausing' && ` ${words.pausing}`}
          </Text>
          {mayPass(state.refusal) && (
            <Anchor component="button" type="button" size="xs" fw={550} onClick={() => uploads.retry(id)}>
              {words.retry}
            </Anchor>
          )}
        </>
      );
    case 'accepted':
      return (
        <Group gap={6} role="status">
          {status !== undefined &&
            !isUnfinished(status) &&
            (status === 'failed' ? <AlertIcon size={14} /> : <CheckIcon size={14} />)}
          <Said>{status === undefined ? words.accepted : words.states[status]}</Said>
          <Anchor
            size="xs"
            fw={550}
            renderRoot={(props) => <Link to="/calls/$id" params={{ id: state.callId }} {...props} />}
          >
            {status === 'completed' ? words.open : words.look}
          </Anchor>
        </Group>
      );
  }
}

function Said({ children }: { children: string }) {
  return (
    <Text size="xs" c="dimmed" span className={classes.said}>
      {children}
    </Text>
  );
}

function sendingWords(
  { sent, bytesPerSecond, secondsLeft }: Extract<UploadState, { kind: 'sending' }>,
  bytes: number,
): string {
  return [
    words.sending(shownBytes(sent), shownBytes(bytes), Math.floor((sent / bytes) * 100)),
    ...(bytesPerSecond === null ? [] : [words.speed(shownBytes(bytesPerSecond))]),
    ...(secondsLeft === null ? [] : [words.left(shownSeconds(secondsLeft))]),
  ].join(' · ');
}

function percent(state: UploadState, bytes: number): number {
  return state.kind === 'sending' ? (state.sent / bytes) * 100 : 100;
}
