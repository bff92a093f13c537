import type { Transcript } from '@call-analytics/calls';

/** Less than this is not worth a word. */
const LEAST_LOST_MS = 1_000;

/** @returns what keeps the recording from being the whole call, for the readers of its report */
export function recordingIssues({ audio }: Transcript): { text: string; evidence: null }[] {
  const issues: string[] = [];
  if (audio.cutOff) issues.push(cutOffIssue(audio.seconds, audio.cutOff.declaredSeconds));
  const lostMs = audio.dropped
    .filter(({ reason }) => !/silen|no speech/i.test(reason))
    .reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  if (lostMs >= LEAST_LOST_MS)
    issues.push(`${Math.round(lostMs / 1000)} seconds of the recording could not be transcribed.`);
  return issues.map((text) => ({ text, evidence: null }));
}

function cutOffIssue(seconds: number, declaredSeconds: number | null): string {
  if (declaredSeconds === null) return `The recording is damaged and ends at ${clock(seconds)}.`;
  return `The recording ends at ${clock(seconds)} of ${clock(declaredSeconds)}.`;
}

/** As 0:31, or 1:02:03 from an hour on. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (part: number) => String(part).padStart(2, '0');
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
