import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { reachable, reportSignedOut, signedOut } from '../../api/connection.ts';
import { installationQuery, keys, queryClient, sessionQuery } from '../../api/queries.ts';
import { useSession } from '../../auth/session.tsx';
import { lazyPart } from '../../chunks/chunk.tsx';
import { UploadIcon } from '../../common/icons.tsx';
import { texts } from '../../texts/texts.ts';
import { rememberedReportType } from './choose-files.tsx';
import { UploadQueue } from './queue.ts';
import { sendByXhr } from './send.ts';
import classes from './upload.module.css';

/** The uploads of this page, until it is left. */
export const uploads = new UploadQueue(sendByXhr, reportSignedOut);

/** Uploads files that somebody dropped or chose, with the report type that was chosen last. */
export async function upload(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  // Without the limit the files are sent all the same: the service knows it too.
  const installation = await queryClient.ensureQueryData(installationQuery).catch(() => null);
  uploads.add(files, rememberedReportType(), installation?.maxUploadBytes ?? null);
}

/** A file has become a call: the list shows it without waiting to be told. */
let accepted = 0;
uploads.subscribe(() => {
  const now = uploads.uploads().filter(({ state }) => state.kind === 'accepted').length;
  if (now > accepted) void queryClient.invalidateQueries({ queryKey: keys.calls });
  accepted = now;
});

const Tray = lazyPart(async () => (await import('./tray.tsx')).Tray, { isOptional: true });

/** Mounted once, over every page of a signed-in user: files may be dropped anywhere, and uploads go on while pages change. */
export function Uploads() {
  const opened = useSession();
  const { data: session = opened } = useQuery(sessionQuery);
  const isOver = useSyncExternalStore(signedOut.subscribe, signedOut.get);
  const accountId = session === null || isOver ? null : session.account.id;
  useEffect(() => uploads.signedIn(accountId), [accountId]);
  useEffect(continueWithTheNetwork, []);
  useEffect(warnBeforeLeaving, []);
  return (
    <>
      <DropAnywhere />
      <Tray />
    </>
  );
}

/** Uploads that wait for a retry go on as soon as the network or the server is back. */
function continueWithTheNetwork() {
  const goOn = () => uploads.retryPausing();
  addEventListener('online', goOn);
  const stop = reachable.subscribe(() => (reachable.get() ? goOn() : undefined));
  return () => {
    removeEventListener('online', goOn);
    stop();
  };
}

/** A page that is left takes its uploads with it. */
function warnBeforeLeaving() {
  const warn = (event: BeforeUnloadEvent) => {
    if (uploads.unfinished()) event.preventDefault();
  };
  addEventListener('beforeunload', warn);
  return () => removeEventListener('beforeunload', warn);
}

const words = texts.calls.upload;

/** Takes files that are dropped anywhere in the window, folders too. It is in the page only while something is dragged. */
export function DropAnywhere() {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => followDrags(setDragging), []);
  if (!isDragging) return null;
  return (
    <div className={classes.overlay}>
      <UploadIcon size={56} />
      <Title order={2}>{words.drop}</Title>
      <Text>{words.dropHow}</Text>
    </div>
  );
}

/** A browser opens a dropped file in place of the page, and with it every upload under way is gone: no drop is left to it. */
function followDrags(setDragging: (isDragging: boolean) => void): () => void {
  // Each element that is entered is also left, but entered first.
  let depth = 0;
  const set = (next: number) => {
    depth = Math.max(0, next);
    setDragging(depth > 0);
  };
  const hear = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (event.type === 'dragenter') set(depth + 1);
    if (event.type === 'dragleave') set(depth - 1);
    if (event.type !== 'drop') return;
    set(0);
    void droppedFiles(event.dataTransfer).then(upload);
  };
  const events = ['dragenter', 'dragover', 'dragleave', 'drop'] as const;
  for (const event of events) addEventListener(event, hear);
  return () => {
    for (const event of events) removeEventListener(event, hear);
  };
}

/**
 * The files of a drop, those in folders too. Must be called while the event is handled: afterwards a browser empties it.
 * @returns the files; a folder that cannot be read is left out
 */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  // Both before the first wait, for the same reason.
  const found = items.map((item) => ({ entry: item.webkitGetAsEntry?.() ?? null, file: item.getAsFile() }));
  const files = found.map(({ entry, file }) =>
    entry?.isDirectory ? filesIn(entry as FileSystemDirectoryEntry) : file === null ? [] : [file],
  );
  return (await Promise.all(files)).flat();
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  try {
    // It gives some of them at a time, and none at the end.
    for (;;) {
      const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (entries.length === 0) return files;
      const inside = entries.map((entry) =>
        entry.isDirectory ? filesIn(entry as FileSystemDirectoryEntry) : fileOf(entry as FileSystemFileEntry),
      );
      files.push(...(await Promise.all(inside)).flat());
    }
  } catch {
    return files;
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File[]> {
  // Hidden files, such as .DS_Store, come with every folder.
  if (entry.name.startsWith('.')) return Promise.resolve([]);
  return new Promise((resolve) =>
    entry.file(
      (file) => resolve([file]),
      () => resolve([]),
    ),
  );
}
