import { ActionIcon, Anchor, Collapse, Group, Text } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { reachable } from '../../api/connection.ts';
import { signedOut } from '../../api/signed-out.ts';
import { texts } from '../../texts/texts.ts';
import { DownIcon, UpIcon } from '../icons.tsx';
import { DropAnywhere } from './drop-anywhere.tsx';
import { useFollowed } from './followed.ts';
import classes from './upload.module.css';
import { mayPass, type Upload } from './upload.ts';
import { UploadRow } from './upload-row.tsx';
import { uploads } from './uploads.ts';

const words = texts.calls.upload;

/** Everything about uploads that stays while pages change. */
export function UploadsAnywhere() {
  useEffect(() => reachable.subscribe(() => (reachable.get() ? uploads.retryPausing() : undefined)), []);
  useEffect(warnBeforeLeaving, []);
  return (
    <>
      <DropAnywhere />
      <Tray />
    </>
  );
}

function Tray() {
  const all = useSyncExternalStore(uploads.subscribe, uploads.uploads);
  const isOver = useSyncExternalStore(signedOut.subscribe, signedOut.get);
  const statuses = useFollowed(all);
  const [isOpen, setOpen] = useState(true);
  if (all.length === 0) return null;
  const open = all.filter((upload) => !isSettled(upload)).length;
  const isClearable = open < all.length;
  return (
    <section className={classes.tray} aria-label={words.tray}>
      <Group justify="space-between" wrap="nowrap" className={classes.trayHead}>
        <Text fw={600} size="sm" role="status">
          {words.heading(open, all.length)}
        </Text>
        <Group gap={4} wrap="nowrap">
          {isClearable && (
            <Anchor component="button" type="button" size="xs" fw={550} onClick={() => uploads.clearFinished()}>
              {words.clear}
            </Anchor>
          )}
          <ActionIcon aria-expanded={isOpen} aria-label={isOpen ? words.fold : words.unfold} onClick={() => setOpen(!isOpen)}>
            {isOpen ? <DownIcon /> : <UpIcon />}
          </ActionIcon>
        </Group>
      </Group>
      <Collapse expanded={isOpen}>
        <ul className={classes.rows}>
          {all.map((upload) => (
            <UploadRow
              key={upload.id}
              upload={upload}
              status={upload.state.kind === 'accepted' ? statuses.get(upload.state.callId) : undefined}
              signedOut={isOver}
            />
          ))}
        </ul>
      </Collapse>
    </section>
  );
}

function isSettled({ state }: Upload): boolean {
  return state.kind === 'accepted' || (state.kind === 'failed' && !mayPass(state.refusal));
}

/** A page that is left takes its uploads with it. */
function warnBeforeLeaving() {
  const warn = (event: BeforeUnloadEvent) => {
    if (uploads.unfinished()) event.preventDefault();
  };
  addEventListener('beforeunload', warn);
  return () => removeEventListener('beforeunload', warn);
}
