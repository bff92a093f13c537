import { ActionIcon, Anchor, Collapse, Group, Progress, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState, useSyncExternalStore } from 'react';
import { signedOut } from '../../api/signed-out.ts';
import { texts } from '../../texts/texts.ts';
import { DownIcon, UpIcon } from '../icons.tsx';
import { useFollowed } from './followed.ts';
import classes from './upload.module.css';
import { mayPass, type Upload, type UploadState } from './upload.ts';
import { UploadRow } from './upload-row.tsx';
import { uploads } from './uploads.ts';

const words = texts.calls.upload;

/** The uploads of this page. It stays while pages change. */
export function Tray() {
  const all = useSyncExternalStore(uploads.subscribe, uploads.uploads);
  const isOver = useSyncExternalStore(signedOut.subscribe, signedOut.get);
  const statuses = useFollowed(all);
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  // On a phone it would lie over most of the page.
  const [isOpen = !isPhone, setOpen] = useState<boolean>();
  if (all.length === 0) return null;
  const done = all.filter(({ state }) => state.kind === 'accepted').length;
  const refused = all.filter(({ state }) => state.kind === 'failed' && !mayPass(state.refusal)).length;
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
              status={upload.state.kind === 'accepted' ? statuses.get(upload.state.callId) : undefined}
              signedOut={isOver}
            />
          ))}
        </ul>
      </Collapse>
    </section>
  );
}

/** @returns how much of all files has been sent, in percent */
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
