import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { audioStoreSettings, connectAudioStore } from '@call-analytics/audio-store/minio';
import { callStoreSettings, inspectDatabase } from '@call-analytics/calls/mongo';
import { QUEUE_NAMES, STAGES } from '@call-analytics/contracts';
import { inspectBroker, messagingSettings } from '@call-analytics/messaging/rabbitmq';
import { counted, failureOf, makeLogger, makeMetrics, readSettings, SettingsError } from '@call-analytics/service-kit';
import { inspectVoiceModel } from '@call-analytics/transcription/voice-model';
import { type Command, callsWait, dataDirOf, type Env, isDistributed, withCalls, withMessaging } from './command.ts';
import { howToResume } from './drain.ts';

type State = 'ok' | 'warning' | 'wrong' | 'not checked';
interface Check {
  check: string;
  state: State;
  /** What was found and, unless it is ok, what to do. */
  text: string;
}

/** Clocks further apart than this shift leases and retention; the services bear 60 s. */
const CLOCK_APART_MS = 5_000;
const OUTBOX_AGE_MS = 60_000;
const ROOM_BYTES = 2 ** 30;
/** The oldest major version that deploy/rabbitmq is for. */
const OLDEST_RABBITMQ = 4;

export const DOCTOR: Command = {
  args: '',
  help: 'checks settings, servers, work and room, and says what to do; exit code 1 when something is wrong',
  async run(_, { env }) {
    const checks = await checksOf(env);
    const wrong = checks.filter(({ state }) => state === 'wrong').length;
    const width = Math.max(...checks.map(({ check }) => check.length));
    const lines = checks.map(({ check, state, text }) => `${state.padEnd(11)}  ${check.padEnd(width)}  ${text}`);
    const verdict = wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${checks.length} checks found something wrong.`;
    return { json: { checks }, text: `${lines.join('\n')}\n\n${verdict}`, failed: wrong > 0 };
  },
};

type Finding = Omit<Check, 'check'>;
type Checking = (env: Env) => Promise<Check[]>;

async function checksOf(env: Env): Promise<Check[]> {
  if (!isDistributed(env) && env.RABBITMQ_URL) {
    const text = 'RABBITMQ_URL is set, and MONGODB_URL is not. Set both, or, for a standalone installation, neither.';
    return [{ check: 'settings', state: 'wrong', text }];
  }
  return (await Promise.all((isDistributed(env) ? DISTRIBUTED : STANDALONE).map((each) => each(env)))).flat();
}

/**
 * @param needs without these settings it is not checked
 * @param next follows when `look` did not throw: it would only find the same
 * @returns a check that reports an error as wrong
 */
function checked(
  check: string,
  look: (env: Env) => Promise<Finding[]>,
  { needs = [], next = async () => [] }: { needs?: readonly string[]; next?: Checking } = {},
): Checking {
  return async (env) => {
    const missing = needs.filter((name) => !env[name]);
    if (missing.length > 0) return [{ check, state: 'not checked', text: `Set ${missing.join(' and ')} to check it.` }];
    try {
      const found = (await look(env)).map((finding) => ({ check, ...finding }));
      return [...found, ...(await next(env))];
    } catch (error) {
      return [{ check, state: 'wrong', text: whyNot(error) }];
    }
  };
}

const work = checked('work', workOf);
const voices = checked('voice model', voiceModel);
const workAndVoices: Checking = async (env) => [...(await work(env)), ...(await voices(env))];
const STANDALONE: readonly Checking[] = [checked('data folder', dataFolder, { next: workAndVoices })];
const DISTRIBUTED: readonly Checking[] = [
  checked('call database', callDatabase, { next: work }),
  checked('broker', broker, { needs: ['RABBITMQ_URL'] }),
  checked('audio store', audioStore, { needs: ['S3_ACCESS_KEY', 'S3_SECRET_KEY'] }),
  voices,
];

/** @returns the reason in words, without a stack */
export function whyNot(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  const failure = failureOf(error);
  return failure.kind === 'bug' ? (error as Error).message : failure.message;
}

async function dataFolder(env: Env): Promise<Finding[]> {
  const folder = dataDirOf(env);
  for (const name of ['calls.sqlite', 'accounts.sqlite'])
    if (!existsSync(join(folder, name)))
      throw new Error(`${join(folder, name)} does not exist. Set DATA_DIR to the data folder.`);
  const found: Finding[] = [];
  const open = (await stat(folder)).mode & 0o077;
  if (open !== 0 && process.platform !== 'win32')
    found.push({ state: 'wrong', text: `Other users can open ${folder}. Run: chmod 700 ${folder}` });
  const { bavail, bsize } = await statfs(folder);
  const room = `${(Number(bavail * bsize) / 2 ** 30).toFixed(1)} GiB are free in the data folder`;
  if (bavail * bsize < ROOM_BYTES)
    found.push({ state: 'wrong', text: `${room}. Uploads fail when it is full: make room.` });
  return found.length > 0 ? found : [{ state: 'ok', text: `${folder}; ${room}` }];
}

/** @throws what `answer` throws, with the advice when a server does not answer */
async function answered<T>(answer: Promise<T>, advice: string): Promise<T> {
  return answer.catch((error: unknown) => {
    const { kind, message } = failureOf(error);
    throw kind === 'transient' ? new Error(`${message} ${advice}`, { cause: error }) : error;
  });
}

async function callDatabase(env: Env): Promise<Finding[]> {
  const { MONGODB_URL: url } = readSettings(callStoreSettings, env);
  const looking = answered(inspectDatabase(url), 'Check MONGODB_URL and that MongoDB runs.');
  const { version, clockAheadMs, missingIndexes, unusedIndexes } = await looking;
  const found: Finding[] = [];
  if (missingIndexes.length > 0) {
    const text = `Indexes are missing: ${missingIndexes.join(', ')}. Start a service: it creates them.`;
    found.push({ state: 'wrong', text });
  }
  if (unusedIndexes.length > 0) {
    const names = unusedIndexes.join(', ');
    const text = `Indexes of an earlier release: ${names}. They cost each write. See "npm run ops -- migrations".`;
    found.push({ state: 'warning', text });
  }
  if (Math.abs(clockAheadMs) > CLOCK_APART_MS) {
    const seconds = (Math.abs(clockAheadMs) / 1_000).toFixed(0);
    const text = `The clock of this machine and of MongoDB are ${seconds} s apart. Set both by NTP.`;
    found.push({ state: 'wrong', text });
  }
  return found.length > 0 ? found : [{ state: 'ok', text: `MongoDB ${version}, indexes complete, clocks agree` }];
}

async function broker(env: Env): Promise<Finding[]> {
  const { RABBITMQ_URL: url } = readSettings(messagingSettings, env);
  const looking = inspectBroker(url, makeLogger('ops', 'silent'));
  const advice = 'Check RABBITMQ_URL and that the broker runs.';
  const { version, missingQueues, differentQueues } = await answered(looking, advice);
  const found: Finding[] = [];
  if (Number.parseInt(version, 10) < OLDEST_RABBITMQ)
    found.push({ state: 'wrong', text: `RabbitMQ ${version} is too old. Use ${OLDEST_RABBITMQ}.0 or later.` });
  if (missingQueues.length > 0) {
    const text = `Queues are missing: ${missingQueues.join(', ')}. Start a service: it creates them.`;
    found.push({ state: 'wrong', text });
  }
  for (const { queue, difference } of differentQueues) {
    const text = `The services cannot use the queue ${queue}: ${difference}. Delete it: a service creates it again.`;
    found.push({ state: 'wrong', text });
  }
  // Reading dead letters declares the queues, as every service does.
  if (missingQueues.length === 0 && differentQueues.length === 0) {
    const dead = await withMessaging(env, async (messaging) => (await messaging.deadLetters(1_000)).length);
    if (dead > 0)
      found.push({
        state: 'warning',
        text: `${counted(dead, 'dead letter')}. See "npm run ops -- dead-letters list".`,
      });
  }
  if (found.length === 0)
    found.push({ state: 'ok', text: `RabbitMQ ${version}, ${QUEUE_NAMES.length} queues, no dead letters` });
  const text =
    'AMQP does not show policies. Compare "rabbitmqctl list_policies" with deploy/rabbitmq/definitions.json.';
  return [...found, { state: 'not checked', text }];
}

async function audioStore(env: Env): Promise<Finding[]> {
  const settings = readSettings(audioStoreSettings, env);
  const store = connectAudioStore(settings, { log: makeLogger('ops', 'silent'), metrics: makeMetrics() });
  const notReady = await store.ready();
  if (notReady === null) return [{ state: 'ok', text: `bucket ${settings.S3_BUCKET}` }];
  return [{ state: 'wrong', text: `${notReady}. Check S3_URL, S3_ACCESS_KEY, S3_SECRET_KEY and S3_BUCKET.` }];
}

/** The file of the speaker embedding, which an installation may have (docs/decisions/0024). */
async function voiceModel(env: Env): Promise<Finding[]> {
  const named = env.VOICE_MODEL || undefined;
  if (isDistributed(env) && named === undefined && !env.WHISPER_MODELS_DIR) {
    const text = 'Its file is where the transcription service runs, which logs at its start whether it has one.';
    return [{ state: 'not checked', text }];
  }
  const dir = env.WHISPER_MODELS_DIR || join(dataDirOf(env), 'models');
  const { file, state } = await inspectVoiceModel({ VOICE_MODEL: named, WHISPER_MODELS_DIR: dir });
  const findings: Record<typeof state, Finding> = {
    published: { state: 'ok', text: `${file}, as published` },
    other: { state: 'not checked', text: `${file} is not the published one, so its hash is not known.` },
    damaged: {
      state: 'wrong',
      text: `${file} is damaged: without it, voices are separated by spectrum only. Delete it, and run: ${FETCH}`,
    },
    absent: { state: 'ok', text: `none: without it, voices are separated by spectrum only. To download it: ${FETCH}` },
  };
  return [findings[state]];
}
const FETCH = 'npm run whisper -- fetch campplus';

/** What the call store says about the work. */
function workOf(env: Env): Promise<Finding[]> {
  return withCalls(env, async (_, store) => {
    const now = new Date();
    const [figures, capacity, drained] = await Promise.all([
      store.figures(now),
      store.capacity(now),
      store.drainedStages(),
    ]);
    const found: Finding[] = [];
    if (figures.oldestOutboxAgeMs > OUTBOX_AGE_MS) {
      const minutes = Math.round(figures.oldestOutboxAgeMs / 60_000);
      const text = `An event has waited ${minutes} min to be published. Check that a dispatcher runs.`;
      found.push({ state: 'wrong', text });
    }
    for (const stage of STAGES) {
      const ready = figures.ready[stage];
      const since = drained.get(stage)?.toISOString();
      if (since !== undefined) {
        const text = `${stage} is drained since ${since}, and ${callsWait(ready)}. ${howToResume(stage)}`;
        found.push({ state: 'warning', text });
      } else if (ready > 0 && capacity[stage] === 0) {
        found.push({ state: 'wrong', text: `${callsWait(ready)} for ${stage}, and no worker runs.` });
      }
    }
    for (const [dependency, calls] of Object.entries(figures.waiting))
      if (calls > 0)
        found.push({
          state: 'warning',
          text: `${callsWait(calls)} for ${dependency.replaceAll('_', ' ')}. See the log of its service.`,
        });
    if (found.length > 0) return found;
    const inWork = STAGES.map((stage) => `${stage} ${figures.leased[stage]} of ${capacity[stage]}`).join(', ');
    return [{ state: 'ok', text: `in work: ${inWork}` }];
  });
}
