import type { FoundCall } from '@call-analytics/contracts';
import { ActionIcon, Anchor, Collapse, Group, Progress, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import { signedOut } from '../../api/connection.ts';
import { usePolling } from '../../api/queries.ts';
import { AlertIcon, CloseIcon, DownIcon, UpIcon } from '../../common/icons.tsx';
import { LOCALE, texts } from '../../texts/index.ts';
import { CallState } from '../facts.tsx';
import { isUnfinished, listQuery } from '../requests.ts';
import type { UploadQueue } from './queue.ts';
import { canRetry, type Refusal, shownBytes, shownSeconds, type Upload, type UploadState } from './send.ts';
import classes from './upload.module.css';

const words = texts.calls.upload;

/** The list of uploads. It stays while pages change. */
export function Tray({ uploads }: { uploads: UploadQueue }) {
  const all = useSyncExternalStore(uploads.subscribe, uploads.uploads);
  const isOver = useSyncExternalStore(signedOut.subscribe, signedOut.get);
  const calls = useFollowed(all);
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  // On a phone it would cover most of the page.
  const [isOpen = !isPhone, setOpen] = useState<boolean>();
  if (all.length === 0) return null;
  const done = all.filter(({ state }) => state.kind === 'accepted').length;
  const refused = all.filter(({ state }) => state.kind === 'failed' && !canRetry(state.refusal)).length;
  const open = all.length - done - refused;
  return (
    <section className={classes.tray} aria-label={words.tray}>
      <Group justify="space-between" wrap="nowrap" className={classes.trayHead}>
        <Text fw={600} size="sm" role="status">
          {words.heading(open, done, refused)}
        </Text>
        <Group gap={4} wrap="nowrap">
          {done + refused > 0 && (
            <Anchor component="button" type="button" size="xs" fw={550} onClick={() => uploads.clearFinished()}>
              {words.clear}
            </Anchor>
          )}
          <ActionIcon
            aria-expanded={isOpen}
            aria-label={isOpen ? words.fold : words.unfold}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <DownIcon /> : <UpIcon />}
          </ActionIcon>
        </Group>
      </Group>
      {!isOpen && open > 0 && <Progress value={sentShare(all)} size={3} radius={0} aria-label={words.tray} />}
      <Collapse expanded={isOpen}>
        <ul className={classes.rows}>
          {all.map((upload) => (
            <UploadRow
              key={upload.id}
              upload={upload}
              call={upload.state.kind === 'accepted' ? calls.get(upload.state.callId) : undefined}
              signedOut={isOver}
              uploads={uploads}
            />
          ))}
        </ul>
      </Collapse>
    </section>
  );
}

/** @returns the share of all bytes that has been sent, in percent */
function sentShare(all: readonly Upload[]): number {
  const bytes = all.reduce((sum, { file }) => sum + file.size, 0);
  const sent = all.reduce(
    (sum, { file, state }) => sum + (state.kind === 'sending' ? state.sent : hasLeft(state) ? file.size : 0),
    0,
  );
  return bytes === 0 ? 0 : (sent / bytes) * 100;
}

function hasLeft({ kind }: UploadState): boolean {
  return kind === 'checking' || kind === 'accepted';
}

interface RowProps {
  upload: Upload;
  /** undefined while its state is unknown. */
  call: FoundCall | undefined;
  signedOut: boolean;
  uploads: UploadQueue;
}

/** One file and the state of its upload. */
function UploadRow(row: RowProps) {
  const { upload, uploads } = row;
  const { id, file, state } = upload;
  const isDone = state.kind === 'accepted' || (state.kind === 'failed' && !canRetry(state.refusal));
  return (
    <li className={classes.row}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <div className={classes.rowBody}>
          <Text size="sm" fw={550} className={classes.fileName} title={file.name}>
            <bdi>{file.name}</bdi>
          </Text>
          <Detail {...row} />
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

function Detail({ upload: { id, file, state }, call, signedOut, uploads }: RowProps) {
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
            <AlertIcon size={14} /> {refusalText(state.refusal, file.size)}
            {state.kind === 'pausing' && ` ${words.pausing}`}
          </Text>
          {canRetry(state.refusal) && (
            <Anchor component="button" type="button" size="xs" fw={550} onClick={() => uploads.retry(id)}>
              {words.retry}
            </Anchor>
          )}
        </>
      );
    case 'accepted':
      return (
        <Group gap={6} role="status">
          {call === undefined ? <Said>{words.accepted}</Said> : <CallState {...call} />}
          <Anchor
            size="xs"
            fw={550}
            renderRoot={(props) => <Link to="/calls/$id" params={{ id: state.callId }} {...props} />}
          >
            {call?.status === 'completed' ? words.open : words.look}
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

const LATEST = { limit: 100, offset: 0, sort: 'createdAt', order: 'desc' } as const;

/**
 * Uploaded calls by id, with one request for all of them.
 * @returns nothing for calls that are not among the latest hundred
 */
function useFollowed(uploads: readonly Upload[]): ReadonlyMap<string, FoundCall> {
  const ids = uploads.flatMap(({ state }) => (state.kind === 'accepted' ? [state.callId] : []));
  const following = useQuery({ ...listQuery(LATEST), enabled: ids.length > 0 });
  const calls = new Map(following.data?.calls.map((call) => [call.id, call]));
  const open = ids.some((id) => isUnfinished(calls.get(id)?.status ?? 'queued'));
  useQuery({ ...listQuery(LATEST), enabled: ids.length > 0 && open, refetchInterval: usePolling(open) });
  return calls;
}

/** Why an upload was refused, and what to do. @param bytes size of the file */
function refusalText(refusal: Refusal, bytes: number): string {
  if (refusal.why === 'too-large') return tooLarge(bytes, refusal.maxBytes);
  if (refusal.why === 'answered') return refusal.detail || words.noWords(refusal.status);
  return words[refusal.why];
}

/** Names both sizes in bytes when they look the same in larger units. */
function tooLarge(bytes: number, maxBytes: number): string {
  const [size, limit] = [shownBytes(bytes), shownBytes(maxBytes)];
  if (size !== limit) return words.tooLarge(size, limit);
  return words.tooLarge(words.bytes(bytes.toLocaleString(LOCALE)), words.bytes(maxBytes.toLocaleString(LOCALE)));
}
