import type { ReportType } from '@call-analytics/contracts';
import {
  Button,
  type ButtonProps,
  FileButton,
  Group,
  NativeSelect,
  SegmentedControl,
  Text,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { ExternalStore, reachable, reportSignedOut, signedOut } from '../../api/connection.ts';
import { installationQuery, keys, queryClient, sessionQuery } from '../../api/queries.ts';
import { useSession } from '../../auth/session.tsx';
import { lazyPart } from '../../chunks/chunk.tsx';
import { UploadIcon } from '../../common/icons.tsx';
import { Note } from '../../common/page.tsx';
import { LOCALE, texts } from '../../texts/index.ts';
import { UploadQueue } from './queue.ts';
import { sendByXhr, type UploadOptions } from './send.ts';
import classes from './upload.module.css';

/** The upload queue of this page. */
export const uploads = new UploadQueue(sendByXhr, reportSignedOut);

/** Uploads files with the options that were chosen last. */
export async function upload(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  // Without the limit the files are sent anyway: the service checks it too.
  const installation = await queryClient.ensureQueryData(installationQuery).catch(() => null);
  uploads.add(files, uploadOptions(), installation?.maxUploadBytes ?? null);
}

/** An upload became a call: the list shows it at once. */
let accepted = 0;
uploads.subscribe(() => {
  const now = uploads.uploads().filter(({ state }) => state.kind === 'accepted').length;
  if (now > accepted) void queryClient.invalidateQueries({ queryKey: keys.calls });
  accepted = now;
});

const Tray = lazyPart(async () => (await import('./tray.tsx')).Tray, { isOptional: true });

/**
 * Mounted once over all pages of a signed-in user: files can be dropped anywhere, and uploads continue while pages
 * change.
 */
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
      <Tray uploads={uploads} />
    </>
  );
}

/** Ends the backoff of uploads when the network or the server is back. */
function continueWithTheNetwork() {
  const goOn = () => uploads.retryPausing();
  addEventListener('online', goOn);
  const stop = reachable.subscribe(() => (reachable.get() ? goOn() : undefined));
  return () => {
    removeEventListener('online', goOn);
    stop();
  };
}

/** Closing the page aborts its uploads. */
function warnBeforeLeaving() {
  const warn = (event: BeforeUnloadEvent) => {
    if (uploads.unfinished()) event.preventDefault();
  };
  addEventListener('beforeunload', warn);
  return () => removeEventListener('beforeunload', warn);
}

const words = texts.calls.upload;

/** Takes files and folders dropped anywhere in the window. It is in the page only during a drag. */
function DropAnywhere() {
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

/** Handles every drop: by default a browser opens the file in place of the page, which aborts all uploads. */
function followDrags(setDragging: (isDragging: boolean) => void): () => void {
  // A new element is entered before the old one is left.
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
 * The files of a drop, including those in folders. Call it synchronously in the event: a browser empties it afterwards.
 * @returns the files, without those of folders that cannot be read
 */
async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  // Both before the first await, for the same reason.
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
    // It returns a batch at a time, and an empty one at the end.
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
  // Skips hidden files, such as .DS_Store.
  if (entry.name.startsWith('.')) return Promise.resolve([]);
  return new Promise((resolve) =>
    entry.file(
      (file) => resolve([file]),
      () => resolve([]),
    ),
  );
}

/** Filters the file dialog only. The server checks the content of a file, not its name. */
const OFFERED = 'audio/*,.mp3,.wav,.m4a,.ogg,.flac,.aac,.wma,.mp4';

/** Opens the dialog to choose recordings, and uploads them. */
export function ChooseFiles({ label = words.choose, ...rest }: { label?: string } & Omit<ButtonProps, 'children'>) {
  return (
    <FileButton multiple accept={OFFERED} onChange={(files) => void upload(files)}>
      {(props) => (
        <Button leftSection={<UploadIcon size={18} />} {...rest} {...props}>
          {label}
        </Button>
      )}
    </FileButton>
  );
}

/** Chooses the language and the report type of the next uploads. */
export function UploadChoices() {
  return (
    <>
      <LanguageChoice />
      <ReportTypeChoice />
    </>
  );
}

function LanguageChoice() {
  const language = useSyncExternalStore(chosenLanguage.subscribe, chosenLanguage.get);
  const { data } = useQuery(installationQuery);
  return (
    <NativeSelect
      size="xs"
      aria-label={words.language}
      value={language}
      onChange={({ currentTarget: { value } }) => chosenLanguage.set(value)}
      data={[{ value: '', label: words.detectLanguage }, ...namesOf(data?.languages ?? [])]}
    />
  );
}

/** @returns the languages by their names */
function namesOf(codes: readonly string[]): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(LOCALE, { type: 'language' });
  return codes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label, LOCALE));
}

function ReportTypeChoice() {
  const [reportType, choose] = useReportType();
  const label = useId();
  return (
    <Group gap="xs" wrap="nowrap">
      <Note id={label}>{words.reportType}</Note>
      <SegmentedControl
        size="xs"
        aria-labelledby={label}
        value={reportType}
        onChange={(value) => choose(value as ReportType)}
        data={REPORT_TYPES.map((value) => ({ value, label: words.reportTypes[value] }))}
      />
    </Group>
  );
}

const REPORT_TYPES = ['high_level', 'medium', 'detailed'] as const satisfies readonly ReportType[];
const KEY = 'report-type';
const chosen = new ExternalStore<ReportType>(stored());
/** Until the page is closed: a wrong language makes a wrong transcript. */
const chosenLanguage = new ExternalStore('');

/** Of the next upload. The report type is the last choice in this browser. */
function uploadOptions(): UploadOptions {
  return { reportType: chosen.get(), language: chosenLanguage.get() };
}

function useReportType(): [ReportType, (reportType: ReportType) => void] {
  return [useSyncExternalStore(chosen.subscribe, chosen.get), remember];
}

function remember(reportType: ReportType): void {
  chosen.set(reportType);
  try {
    localStorage.setItem(KEY, reportType);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

function stored(): ReportType {
  try {
    const found = localStorage.getItem(KEY);
    return REPORT_TYPES.find((known) => known === found) ?? 'medium';
  } catch {
    return 'medium';
  }
}
