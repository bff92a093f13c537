/**
 * The named points: each place where a death or a race matters, and CI fails when no test killed a process at one. In
 * production `point()` does nothing; a test can hold one open or kill the process at it.
 */
export const POINTS = [
  'upload.stored',
  'call.written',
  'event.published',
  'work.granted',
  'stage.claimed',
  'segment.transcribed',
  'segment.saved',
  'transcript.ready',
  'transcript.committed',
  'analysis.ready',
  'analysis.committed',
  'audio.deleting',
  'audio.deleted',
  'call.removed',
  'call.purged',
] as const;
export type PointName = (typeof POINTS)[number];

type Watcher = (name: PointName, about: string) => void | Promise<void>;
let watcher: Watcher | null = null;

/** @param about the id of the call (or the key of the audio) that has come to this point */
export function point(name: PointName, about: string): void | Promise<void> {
  if (watcher !== null) return watcher(name, about);
}

/** For tests alone. @returns a function that stops watching */
export function watchPoints(next: Watcher): () => void {
  watcher = next;
  return () => {
    if (watcher === next) watcher = null;
  };
}
