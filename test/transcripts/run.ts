import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chooseAnalyst } from '@call-analytics/analysis';
import type { Analysis, Transcript } from '@call-analytics/calls';
import type { SpeechEngine } from '@call-analytics/transcription';
import { openScene } from '@call-analytics/transcription/transcription.fixture.ts';
import { decoded } from '@call-analytics/transcription/voices/recordings.fixture.ts';
import { RULES } from '../quality/report.ts';
import { exactEngine, type Times } from './exact-engine.ts';
import { type Measured, measure } from './measure.ts';
import type { Recorded } from './recordings.ts';

export interface Row extends Measured {
  name: string;
  transcript: Transcript;
  requests: number;
  /** Seconds of audio that were sent to the engine. */
  billed: number;
  /** Seconds in which the engine worked on at least one request. */
  busy: number;
}

/** Has a file transcribed and analyzed, with the settings, a folder to work in, and another engine than theirs. */
export type Transcribing = (
  file: string,
  settings: Record<string, string>,
  dir: string,
  engineOf: (engine: SpeechEngine) => SpeechEngine,
) => Promise<{ transcript: Transcript; analysis: Analysis }>;

/** By a service in this process, and the rules. */
export const here: Transcribing = async (file, settings, dir, engineOf) => {
  const scene = await openScene(settings, dir, engineOf);
  try {
    const { call, transcript } = await scene.transcribed(await scene.uploaded(file));
    if (transcript === null) throw new Error(JSON.stringify(call.failure ?? call.lastFailure ?? call.status));
    const signal = new AbortController().signal;
    return { transcript, analysis: await chooseAnalyst(RULES).analyze(transcript, { signal, spent: () => {} }) };
  } finally {
    await scene.close();
  }
};

/**
 * Transcribes a recording, assigns the roles with the rules, and compares both with the truth.
 * @param given the settings of a real engine, or the times that the exact one answers with
 * @param limits of the exact engine, other than its usual ones
 */
export async function rowOf(
  recorded: Recorded,
  given: Record<string, string> | Times,
  limits?: Partial<SpeechEngine['limits']>,
  transcribing: Transcribing = here,
): Promise<Row> {
  const dir = await mkdtemp(join(tmpdir(), 'transcripts-'));
  const file = join(dir, 'file');
  await writeFile(file, recorded.bytes);
  const used = { requests: 0, billed: 0, busy: 0 };
  const exact = typeof given === 'string' ? exactEngine(recorded, await decoded(file), given, limits) : null;
  const { VOICE_MODEL = '' } = process.env;
  const settings = {
    ...(typeof given === 'string' ? { OPENAI_API_KEY: 'unused' } : given),
    ...(VOICE_MODEL === '' ? {} : { VOICE_MODEL: resolve(VOICE_MODEL) }),
  };
  try {
    const made = await transcribing(file, settings, dir, (engine) => counted(exact ?? engine, used));
    const { transcript, analysis } = made;
    return { name: recorded.name, transcript, ...measure(recorded, transcript, analysis), ...used };
  } catch (error) {
    throw new Error(recorded.name, { cause: error });
  } finally {
    await rm(dir, { recursive: true });
  }
}

function counted(engine: SpeechEngine, used: { requests: number; billed: number; busy: number }): SpeechEngine {
  let running = 0;
  let since = 0;
  return {
    ...engine,
    async transcribe(segment, options) {
      used.requests += 1;
      used.billed += segment.samples.length / 16_000;
      if (running === 0) since = performance.now();
      running += 1;
      try {
        return await engine.transcribe(segment, options);
      } finally {
        running -= 1;
        if (running === 0) used.busy += (performance.now() - since) / 1000;
      }
    },
  };
}

const HEADINGS = [
  ['recording', 'said', 'wrong', 'lost', 'added', 'role', 'time', 'word', 'DER', 'DER.25', 'sure', 'gap', 'no answer'],
  ['invented', 'misheard', 'interr.', 'requests', 'billed', 'busy'],
].flat();

const percent = (value: number) => `${(100 * value).toFixed(1)}%`;

/** The rows as a Markdown table. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.name,
    row.words.said,
    row.words.wrong,
    row.words.lost,
    row.words.added,
    row.rightRole === null ? '' : percent(row.rightRole),
    percent(row.rightTime),
    row.rightWordTime === null ? '' : percent(row.rightWordTime),
    percent(row.der),
    percent(row.derCollar),
    row.confidence?.toFixed(2) ?? '',
    row.coverageGap.toFixed(2),
    `${row.unanswered.toFixed(1)} s`,
    row.inventions.length,
    row.misheard.length,
    row.interruptions ?? '',
    row.requests,
    (row.billed / Math.max(1, row.speechSeconds)).toFixed(2),
    `${row.busy.toFixed(1)} s`,
  ]);
  const lines = [HEADINGS, HEADINGS.map((_, index) => (index === 0 ? '---' : '--:')), ...cells];
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}
