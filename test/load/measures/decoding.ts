import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Decoding } from '../../../services/transcription/src/decode/decode.ts';
import { Child } from '../harness/child.ts';
import { canReadMemory, peakBytes } from '../harness/machine.ts';
import { bounded, type Context, compared, figure, interleaved, type Measure, type Result } from '../harness/measure.ts';
import type { Workspace } from '../harness/workspace.ts';
import { hasFfmpeg, makeLongRecording } from '../seed/recording.ts';
import type { Overlap } from '../servers/overlap.main.ts';

const RATE = 16_000;
const CHANNELS = 2;
const MiB = 2 ** 20;
/** Wider than what is promised, so that a miss is seen as a number and not as a killed decoder. */
const LIMITS = { timeMs: 600_000, memoryBytes: 1024 * MiB, audioSeconds: 4 * 3600 };

interface Run {
  timesRealTime: number;
  firstSamplesMs: number;
  peakMiB: number;
}

/**
 * A long recording to 16 kHz samples in a process of its own, against the ffmpeg command doing the same. Both write
 * into a pipe that this process reads and empties.
 */
export const decoding: Measure = {
  name: 'decoding',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const hours = quick ? 1 / 12 : 3;
    const what = `Decoding ${quick ? '5 min' : '3 h'} of stereo MP3`;
    if (!hasFfmpeg) return [{ what: `${what}: speed`, skipped: 'needs the ffmpeg command' }];
    const dir = workspace.folder('decoding');
    const file = join(dir, 'recording');
    const seconds = makeLongRecording(file, workspace.folder('parts'), hours * 3600);
    progress(`${(seconds / 3600).toFixed(2)} h, ${(statSync(file).size / MiB).toFixed(0)} MiB`);

    const timed = async (name: string, decode: () => Promise<Decoded>): Promise<Run> => {
      const { ms, firstSamplesMs, samples, peak } = await decode();
      const decoded = samples / CHANNELS / RATE;
      if (Math.abs(decoded - seconds) > seconds * 0.005)
        throw new Error(`${name} decoded ${decoded} of ${seconds} seconds`);
      progress(`${name} ${(ms / 1000).toFixed(1)} s`);
      return { timesRealTime: seconds / (ms / 1000), firstSamplesMs, peakMiB: peak / MiB };
    };
    const measured = await interleaved(
      quick ? 2 : 5,
      () => timed('ours', () => decodeOurs(dir, statSync(file).size)),
      () => timed('ffmpeg', () => decodeWithFfmpeg(file)),
    );

    const rates = {
      ours: measured.ours.map((run) => run.timesRealTime),
      floor: measured.floor.map((run) => run.timesRealTime),
    };
    const first = (runs: readonly Run[]) => figure(runs.map((run) => run.firstSamplesMs)).median.toFixed(0);
    const speed = compared(`${what}: speed`, 'x real time', rates, { atLeast: 0.9 }, [
      `first samples after ${first(measured.ours)} ms, those of ffmpeg after ${first(measured.floor)} ms`,
    ]);
    const title = `${what}: memory of the decoding process`;
    const peaks = measured.ours.map((run) => run.peakMiB);
    const memory: Result = canReadMemory
      ? bounded(
          title,
          'MiB',
          peaks,
          { atMost: 150 },
          {
            value: Math.max(...peaks),
            notes: [
              `the largest peak is judged; ffmpeg's: ${Math.max(...measured.floor.map((run) => run.peakMiB)).toFixed(0)} MiB`,
            ],
          },
        )
      : { what: title, skipped: "needs Linux's /proc" };
    return [speed, memory, await overlap(workspace, file, seconds, what)];
  },
};

/** The whole of transcription on the same recording, with an engine that answers at once. */
async function overlap(workspace: Workspace, recording: string, seconds: number, what: string): Promise<Result> {
  const dataDir = workspace.folder('overlap');
  const service = await Child.start<{ recording: string }, Overlap>(
    workspace,
    new URL('../servers/overlap.main.ts', import.meta.url),
    { dataDir },
  );
  const { firstPieceMs, decodedMs, committedMs, pieces } = await service.ask({ recording });
  await service.stop();
  return compared(
    `${what}: when the engine gets its first piece, against the end of decoding`,
    'ms after the claim',
    { ours: [firstPieceMs], floor: [decodedMs] },
    { atMost: 1 },
    [
      `with finding speech and cutting: ${(seconds / (decodedMs / 1000)).toFixed(0)} x real time; ${pieces} pieces, the transcript committed after ${(committedMs / 1000).toFixed(1)} s`,
    ],
  );
}

interface Decoded {
  ms: number;
  firstSamplesMs: number;
  samples: number;
  /** Bytes. */
  peak: number;
}

async function decodeOurs(dir: string, fileBytes: number): Promise<Decoded> {
  const began = performance.now();
  const decoding = new Decoding(dir, LIMITS, new AbortController().signal);
  const memory = watchPeak(newestChild());
  try {
    await decoding.open(fileBytes);
    let [firstSamplesMs, samples] = [0, 0];
    for await (const chunk of decoding.samples()) {
      firstSamplesMs ||= performance.now() - began;
      samples += chunk.length;
    }
    return { ms: performance.now() - began, firstSamplesMs, samples, peak: memory.stop() };
  } finally {
    memory.stop();
    await decoding.close();
  }
}

async function decodeWithFfmpeg(file: string): Promise<Decoded> {
  const began = performance.now();
  const child = spawn(
    'ffmpeg',
    ['-nostdin', '-v', 'error', '-i', file, '-ar', String(RATE), '-ac', String(CHANNELS), '-f', 's16le', 'pipe:1'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const memory = watchPeak(child.pid ?? 0);
  const ended = once(child, 'exit');
  let [firstSamplesMs, bytes] = [0, 0];
  for await (const chunk of child.stdout) {
    firstSamplesMs ||= performance.now() - began;
    bytes += chunk.length;
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
  return { ms: performance.now() - began, firstSamplesMs, samples: bytes / 2, peak: memory.stop() };
}

/** The kernel keeps the peak, so looking now and then misses nothing but the last moment. */
function watchPeak(pid: number): { stop(): number } {
  let peak = Number.NaN;
  const look = () => {
    try {
      peak = peakBytes(pid) || peak;
    } catch {
      // It has ended.
    }
  };
  const timer = canReadMemory ? setInterval(look, 20) : undefined;
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

/** The decoder keeps its process to itself; the kernel lists ours, the newest last. */
function newestChild(): number {
  if (!canReadMemory) return 0;
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  return Number(children.at(-1));
}
