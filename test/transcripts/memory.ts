import { execFileSync, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { audioFile } from '@call-analytics/stand-in/recordings';
import { type Asked, startSpeechServer } from '@call-analytics/transcription/engines/openai/speech-server.fixture.ts';
import { openParts } from '@call-analytics/transcription/transcription.fixture.ts';

const SERVICE = fileURLToPath(
  new URL('../../services/transcription/src/transcription.child.fixture.ts', import.meta.url),
);

/** Those that docker-compose.yml and k8s start it with. */
const V8_FLAGS = ['--max-semi-space-size=8'];

/** The most memory that its processes held, in MiB. */
interface Peaks {
  /** The length of the recording, and how long its transcription took. */
  seconds: number;
  took: number;
  service: number;
  decoder: number;
  /** 0 where the speaker embedding was not asked. */
  embedding: number;
}

/** The bundled call again and again, as FFmpeg writes it. */
const LONG: Record<string, string[]> = {
  'three hours, mono, WAV': ['-t', '10800', '-ac', '1', '-f', 'wav'],
  'three hours, stereo, WAV': ['-t', '10800', '-f', 'wav'],
  'six hours, stereo, M4A': ['-t', '21590', '-c:a', 'aac', '-b:a', '48k', '-f', 'mp4'],
};

/** Measures the service on long recordings, with an engine that answers at once. @returns a Markdown table */
export async function memoryTable(): Promise<string> {
  const lines = ['| recording | service | decoder | embedding | took |', '|---|--:|--:|--:|--:|'];
  for (const [name, args] of Object.entries(LONG)) {
    const dir = await mkdtemp(join(tmpdir(), 'memory-'));
    try {
      const file = join(dir, 'long');
      const call = audioFile('bundled-call.mp3').path;
      execFileSync('ffmpeg', ['-v', 'error', '-stream_loop', '-1', '-i', call, ...args, file]);
      const { service, decoder, embedding, took, seconds } = await peaksOf(file, dir);
      const sizes = [service, decoder, embedding].map((size) => `${Math.round(size)} MiB`);
      const speed = `${Math.round(took)} s (${Math.round(seconds / took)} × real time)`;
      lines.push(`| ${[name, ...sizes, speed].join(' | ')} |`);
      process.stderr.write(`${lines.at(-1)}\n`);
    } finally {
      await rm(dir, { recursive: true });
    }
  }
  return lines.join('\n');
}

/** Transcribes a file in a process of its own. Linux tells how much memory its processes took. */
async function peaksOf(file: string, dir: string): Promise<Peaks> {
  const server = await startSpeechServer((asked) => ({ body: answerTo(asked) }));
  const { VOICE_MODEL = '' } = process.env;
  const env = {
    TRANSCRIPTION_BASE_URL: server.url,
    TRANSCRIPTION_MODEL: 'at-once',
    ...(VOICE_MODEL === '' ? {} : { VOICE_MODEL: resolve(VOICE_MODEL) }),
  };
  const { options, store } = await openParts(env, dir);
  const key = randomUUID();
  const { bytes } = await options.audioStore.put(key, createReadStream(file));
  const audio = { key, bytes, format: 'wav', seconds: 60 } as const;
  const { call } = await options.calls.accept({
    accountId: 'account_1',
    fileName: 'long',
    reportType: 'medium',
    audio,
  });
  await options.calls.grant(call.id);
  const began = performance.now();
  const execArgv = ['--no-warnings', ...V8_FLAGS];
  const child = fork(SERVICE, [dir, call.id], {
    execArgv,
    env: { PATH: process.env.PATH, SCENE: JSON.stringify(env) },
  });
  // It waits at each point.
  child.on('message', () => child.send('go on'));
  const peaks = { service: 0, decoder: 0, embedding: 0 };
  try {
    for (let looks = 1; ; looks += 1) {
      for (const pid of [child.pid ?? 0, ...childrenOf(child.pid ?? 0)]) {
        const program = programOf(pid);
        if (program !== null) peaks[program] = Math.max(peaks[program], peakOf(pid));
      }
      await delay(20);
      if (looks % 10 !== 0) continue;
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
      const now = await store.get(call.id);
      if (now?.lastFailure != null) throw new Error(JSON.stringify(now.lastFailure));
      if (now?.lease === null && now.status === 'analyzing') break;
    }
    const took = (performance.now() - began) / 1000;
    return { ...peaks, took, seconds: (await store.transcript(call.id))?.audio.seconds ?? 0 };
  } finally {
    const ended = once(child, 'exit');
    if (child.kill()) await ended;
    await options.messaging.close();
    await store.close();
    await server.close();
  }
}

/** As self-hosted servers answer: a word each 0.4 s. */
function answerTo({ seconds }: Asked) {
  const words = Array.from({ length: Math.floor(seconds / 0.4) }, (_, n) => ({
    word: `word${n % 7}${'abcdefg'[n % 5]}`,
    start: n * 0.4,
    end: n * 0.4 + 0.3,
  }));
  const text = words.map(({ word }) => word).join(' ');
  const segments = words.length === 0 ? [] : [{ start: 0, end: seconds, text }];
  return { task: 'transcribe', language: 'english', duration: seconds, text, segments, words };
}

function childrenOf(pid: number): number[] {
  try {
    const direct = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return direct.flatMap((child) => [child, ...childrenOf(child)]);
  } catch {
    // It has ended.
    return [];
  }
}

function programOf(pid: number): 'service' | 'decoder' | 'embedding' | null {
  const line = textOf(`/proc/${pid}/cmdline`);
  if (line.includes('transcription.child')) return 'service';
  if (line.includes('decoder.child')) return 'decoder';
  return line.includes('embedding.child') ? 'embedding' : null;
}

const peakOf = (pid: number) => Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
