import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeLogger, SettingsError, WorkError } from '@call-analytics/service-kit';
import { itNeeds, linuxProc } from '@call-analytics/test/requirements.fixture.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SAMPLE_RATE } from '../../plan/frames.ts';
import type { SpeechEngine } from '../engine.ts';
import { languageTag, type WhisperEngineOptions, whisperEngine, whisperLanguage } from './engine.ts';
import { type Script, writeScriptedModel } from './scripted-model.fixture.ts';

const SAYS: Script['says'] = [
  { startMs: 0, endMs: 2_000, text: ' Hallo "zusammen",' },
  { startMs: 2_000, endMs: 4_000, text: ' wie geht es?' },
];
const HEADER_BYTES = 44;
const recording = fileURLToPath(new URL('../../../../stand-in/recordings/excerpt.wav', import.meta.url));

let dir: string;
let german: string;
let english: string;
/** A long segment takes it minutes: a test that waits for its end fails. */
let slow: string;
let speech: Int16Array;
const engines: SpeechEngine[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'whisper-'));
  [german, english, slow] = [
    join(dir, 'ggml-german.bin'),
    join(dir, 'ggml-english.en.bin'),
    join(dir, 'ggml-slow.bin'),
  ];
  await writeScriptedModel(german, { says: SAYS, language: 'de' });
  await writeScriptedModel(english, { says: [{ startMs: 0, endMs: 1_000, text: ' Good morning.' }], language: null });
  await writeScriptedModel(slow, { says: SAYS, language: 'de', audioLayers: 48 });
  const wav = await readFile(recording);
  speech = new Int16Array(new Uint8Array(wav.subarray(HEADER_BYTES)).buffer);
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

interface Step {
  msg: string;
  pid: number;
}

/** An engine, and what it says of its processes. */
async function start(options: Partial<WhisperEngineOptions> = {}) {
  const steps: Step[] = [];
  const waiting: { msg: string; resolve(step: Step): void }[] = [];
  const write = (line: string) => {
    const step = JSON.parse(line) as Step;
    steps.push(step);
    for (const { resolve } of waiting
      .splice(0)
      .filter(({ msg, ...rest }) => msg === step.msg || !waiting.push({ msg, ...rest })))
      resolve(step);
  };
  const engine = await whisperEngine({
    modelFile: german,
    model: 'german',
    log: makeLogger('test', 'debug', { write }),
    ...options,
  });
  engines.push(engine);
  return { engine, steps, next: (msg: string) => new Promise<Step>((resolve) => waiting.push({ msg, resolve })) };
}

/**
 * Listening to it takes seconds, even on a fast machine and with this small a model: time enough to do something in the
 * middle.
 */
const LONG = 300;
const silence = (seconds: number) => new Int16Array(seconds * SAMPLE_RATE);
const never = () => new AbortController().signal;
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof WorkError ? error.failure : error),
  );

describe('whisper on this machine', () => {
  it('says what was said when, and in which language', async () => {
    const { engine } = await start();
    const text = 'Hallo "zusammen", wie geht es?';
    const answer = await engine.transcribe({ samples: speech }, { signal: never() });
    const { words = [] } = answer;
    expect(answer).toMatchObject({ text, utterances: [{ endMs: 4_000, text }], language: 'de' });
    expect(words.map((word) => word.text)).toEqual(['Hallo', '"zusammen",', 'wie', 'geht', 'es?']);
    words.forEach(({ startMs, endMs }, index) => {
      expect(endMs).toBeGreaterThan(startMs);
      expect(startMs).toBeGreaterThanOrEqual(words[index - 1]?.endMs ?? 0);
    });
  });

  it('hears a long segment to its end', async () => {
    const { engine } = await start();
    const { words = [] } = await engine.transcribe({ samples: silence(75) }, { signal: never() });
    expect(words.map(({ startMs }) => Math.floor(startMs / 30_000))).toEqual(
      [0, 1, 2].flatMap((at) => Array(5).fill(at)),
    );
  });

  it('takes the language that it is told', async () => {
    const { engine } = await start();
    expect(await engine.transcribe({ samples: speech }, { signal: never(), languages: ['es'] })).toMatchObject({
      language: 'es',
    });
  });

  it('takes every call for English with an English model', async () => {
    const { engine } = await start({ modelFile: english, model: 'english.en' });
    expect(await engine.transcribe({ samples: speech }, { signal: never() })).toMatchObject({
      text: 'Good morning.',
      language: 'en',
    });
  });

  it('listens to one segment at a time', async () => {
    const { engine, steps } = await start();
    const answers = await Promise.all(
      [1, 2, 3].map(() => engine.transcribe({ samples: silence(1) }, { signal: never() })),
    );
    expect(answers.map(({ language }) => language)).toEqual(['de', 'de', 'de']);
    expect(steps.map(({ msg }) => msg)).toEqual([1, 2, 3].flatMap(() => ['whisper started', 'whisper loaded']));
    expect(new Set(steps.map(({ pid }) => pid)).size).toBe(3);
  });

  itNeeds(linuxProc, 'isolates its process before it listens', async () => {
    const { engine, next } = await start({ modelFile: slow });
    const loaded = next('whisper loaded');
    const stop = new AbortController();
    const segment = engine.transcribe({ samples: silence(LONG) }, { signal: stop.signal }).catch(() => {});
    const { pid } = await loaded;
    // It says that it has loaded the model just before it locks itself down.
    await until(() => /^Seccomp:\t2$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')), 'it is locked down');
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^NoNewPrivs:\t1$/m);
    stop.abort();
    await segment;
  });

  itNeeds(linuxProc, 'shows its process nothing of the environment', async () => {
    process.env.OPENAI_API_KEY = 'sk-not-for-native-code';
    try {
      const { engine, next } = await start({ modelFile: slow });
      const abort = new AbortController();
      const loaded = next('whisper loaded');
      const work = failure(engine.transcribe({ samples: silence(LONG) }, { signal: abort.signal }));
      const { pid } = await loaded;
      expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('');
      abort.abort();
      await work;
    } finally {
      delete process.env.OPENAI_API_KEY;
    }
  });
});

describe('a whisper process that', () => {
  it('dies in the middle of a segment costs that segment, and the next one is heard', async () => {
    const { engine, next } = await start();
    const loaded = next('whisper loaded');
    const lost = failure(engine.transcribe({ samples: silence(LONG) }, { signal: never() }));
    const heard = engine.transcribe({ samples: silence(1) }, { signal: never() });
    process.kill((await loaded).pid, 'SIGKILL');
    expect(await lost).toMatchObject({ kind: 'unanswered', code: 'engine_crashed' });
    expect(await heard).toMatchObject({ language: 'de' });
  });

  it('is no longer wanted is killed at once', async () => {
    const { engine, next } = await start({ modelFile: slow });
    const abort = new AbortController();
    const loaded = next('whisper loaded');
    const work = failure(engine.transcribe({ samples: silence(LONG) }, { signal: abort.signal }));
    const { pid } = await loaded;
    const reason = new Error('the lease is lost');
    abort.abort(reason);
    expect(await work).toBe(reason);
    await engine.close();
    expect(isAlive(pid)).toBe(false);
  });

  it('takes too long is killed', async () => {
    const { engine } = await start({ modelFile: slow, deadlineMs: 50 });
    expect(await failure(engine.transcribe({ samples: silence(LONG) }, { signal: never() }))).toMatchObject({
      code: 'engine_too_slow',
    });
  });

  itNeeds(linuxProc, 'takes too much memory is killed', async () => {
    const { engine } = await start({ modelFile: slow, memoryBytes: 100 * 2 ** 20 });
    expect(await failure(engine.transcribe({ samples: silence(LONG) }, { signal: never() }))).toMatchObject({
      code: 'engine_out_of_memory',
    });
  });

  it('runs when the service stops is killed, and so are the segments that wait', async () => {
    const { engine, next } = await start({ modelFile: slow });
    const loaded = next('whisper loaded');
    const segments = [LONG, 1].map((seconds) =>
      failure(engine.transcribe({ samples: silence(seconds) }, { signal: never() })),
    );
    const { pid } = await loaded;
    await engine.close();
    expect(isAlive(pid)).toBe(false);
    for (const lost of await Promise.all(segments))
      expect(lost).toMatchObject({ kind: 'unavailable', code: 'engine_stopped' });
  });
});

describe('a whisper process whose service is killed', () => {
  /** @returns the service and its whisper process, once it has come to this step */
  async function service(step: string) {
    const child = fork(fileURLToPath(new URL('./service.child.fixture.ts', import.meta.url)), [slow], {
      execPath: process.execPath,
      execArgv: [],
    });
    const { pid } = await new Promise<Step>((resolve) => {
      child.on('message', (message) => (message as Step).msg === step && resolve(message as Step));
    });
    return { child, pid };
  }
  /** A process that nobody waits for stays as a zombie where there is no init. */
  const isOver = (pid: number) => !isAlive(pid) || /^State:\tZ/m.test(status(pid));
  const status = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8');
    } catch {
      return 'State:\tZ';
    }
  };

  itNeeds(linuxProc, 'ends while it listens', async () => {
    const { child, pid } = await service('whisper loaded');
    await until(() => /^Seccomp:\t2$/m.test(status(pid)), 'it is locked down');
    child.kill('SIGKILL');
    await until(() => isOver(pid), 'it ends');
  });

  itNeeds(linuxProc, 'ends when that happens just before it locks itself down', async () => {
    const { child, pid } = await service('whisper loaded');
    process.kill(pid, 'SIGSTOP');
    const died = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await died;
    process.kill(pid, 'SIGCONT');
    await until(() => isOver(pid), 'it ends');
  });
});

describe('a segment that waits its turn', () => {
  it('can be called off, and the others go on', async () => {
    const { engine, steps } = await start();
    const abort = new AbortController();
    const first = engine.transcribe({ samples: silence(1) }, { signal: never() });
    const second = failure(engine.transcribe({ samples: silence(1) }, { signal: abort.signal }));
    abort.abort(new Error('not needed'));
    expect(await second).toEqual(new Error('not needed'));
    const third = engine.transcribe({ samples: silence(1) }, { signal: never() });
    expect([await first, await third]).toMatchObject([{ language: 'de' }, { language: 'de' }]);
    expect(steps.filter(({ msg }) => msg === 'whisper started')).toHaveLength(2);
  });
});

describe('a model file', () => {
  it('that is none is refused at the start, with what to do', async () => {
    const text = join(dir, 'text.bin');
    await writeFile(text, 'hello, I am not a model');
    await expect(whisperEngine({ modelFile: text, model: 'text' })).rejects.toThrow(
      /text\.bin is not a whisper model\..*npm run whisper -- fetch/,
    );
    await writeFile(text, '');
    await expect(whisperEngine({ modelFile: text, model: 'text' })).rejects.toThrow(SettingsError);
    await expect(whisperEngine({ modelFile: join(dir, 'gone.bin'), model: 'gone' })).rejects.toThrow('cannot be read');
  });

  it('that is cut off is told from a crash', async () => {
    const cut = join(dir, 'cut.bin');
    await writeScriptedModel(cut, { says: SAYS, language: 'de' });
    await truncate(cut, 5_000_000);
    const { engine } = await start({ modelFile: cut });
    expect(await failure(engine.transcribe({ samples: silence(1) }, { signal: never() }))).toMatchObject({
      code: 'engine_model_unreadable',
    });
  });

  it('that is gone is told from a crash', async () => {
    const file = join(dir, 'soon-gone.bin');
    await writeScriptedModel(file, { says: SAYS, language: 'de' });
    const { engine } = await start({ modelFile: file });
    await rm(file);
    expect(await failure(engine.transcribe({ samples: silence(1) }, { signal: never() }))).toMatchObject({
      code: 'engine_model_unreadable',
    });
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the language given to whisper', () => {
  it('is the only one that may be spoken', () => {
    expect(whisperLanguage(['de'], true)).toBe('de');
    expect(whisperLanguage(['en-GB', 'en-US'], true)).toBe('en');
    expect(whisperLanguage(['jv'], true)).toBe('jw');
  });

  it('is left to whisper when there are several, none, or one that it does not know', () => {
    expect(whisperLanguage(['de', 'en'], true)).toBe('auto');
    expect(whisperLanguage([], true)).toBe('auto');
    expect(whisperLanguage(['xx'], true)).toBe('auto');
  });

  it('is English for a model that knows nothing else', () => {
    expect(whisperLanguage(['de'], false)).toBe('en');
  });
});

describe('the language that whisper heard', () => {
  it('is told as BCP 47, and is null when whisper was not asked', () => {
    expect(languageTag('de')).toBe('de');
    expect(languageTag('jw')).toBe('jv');
    expect(languageTag('auto')).toBeNull();
  });
});
