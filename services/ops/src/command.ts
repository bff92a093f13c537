import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CallStore, Calls, callSettings, openSqliteCallStore, policyOf } from '@call-analytics/calls';
import { callStoreSettings, openMongoCallStore } from '@call-analytics/calls/mongo';
import type { CallStatus } from '@call-analytics/contracts';
import type { Messaging } from '@call-analytics/messaging';
import { messagingSettings, rabbitmqMessaging } from '@call-analytics/messaging/rabbitmq';
import { type CommandAnswer, counted, makeLogger, makeMetrics, readSettings } from '@call-analytics/service-kit';

export type Env = Record<string, string | undefined>;

/** What was given to a command. Only what it takes is set. */
export interface Given {
  args: string[];
  all?: boolean;
  limit?: number;
  account?: string;
  status?: CallStatus;
}

interface Context {
  env: Env;
  /** Prints a line of progress. */
  tell(text: string): void;
}

/** One command of the operator's command line. */
export interface Command {
  /** Its arguments, such as `ID [REASON]`. */
  args: string;
  options?: readonly (keyof Given)[];
  help: string;
  /** @returns what is wrong with what was given, to stand after the command's name; null when nothing is */
  wrong?(given: Given): string | null;
  run(given: Given, context: Context): Promise<CommandAnswer>;
}

/** The data folder of a standalone installation. */
export function dataDirOf(env: Env): string {
  return resolve(env.DATA_DIR || './data');
}

/** Whether the environment is that of the distributed services. */
export function isDistributed(env: Env): boolean {
  return Boolean(env.MONGODB_URL);
}

/**
 * Runs `use` with the calls of the installation: of MONGODB_URL if it is set, else of DATA_DIR.
 * @throws Error with what to do when there are none, or they cannot be reached
 */
export async function withCalls<T>(env: Env, use: (calls: Calls, store: CallStore) => Promise<T>): Promise<T> {
  const store = openStore(env);
  try {
    const notReady = await store.ready();
    if (notReady !== null)
      throw new Error(`Cannot read the calls: ${notReady}. Check MONGODB_URL and that MongoDB runs.`);
    return await use(new Calls(store, { policy: policyOf(readSettings(callSettings, env)) }), store);
  } finally {
    await store.close();
  }
}

function openStore(env: Env): CallStore {
  if (isDistributed(env)) return openMongoCallStore({ url: readSettings(callStoreSettings, env).MONGODB_URL });
  const file = join(dataDirOf(env), 'calls.sqlite');
  if (!existsSync(file))
    throw new Error(
      `${file} does not exist. Set DATA_DIR to the data folder of a standalone installation, or MONGODB_URL to the ` +
        'calls of a distributed one.',
    );
  return openSqliteCallStore({ file, busyTimeoutMs: 10_000 });
}

/** @throws Error with what to do when the broker of RABBITMQ_URL cannot be reached */
export async function withMessaging<T>(env: Env, use: (messaging: Messaging) => Promise<T>): Promise<T> {
  const { RABBITMQ_URL: url } = readSettings(messagingSettings, env);
  const messaging = await rabbitmqMessaging({
    url,
    name: 'ops',
    log: makeLogger('ops', 'silent'),
    metrics: makeMetrics(),
  });
  try {
    const notReady = messaging.ready();
    if (notReady !== null)
      throw new Error(`The broker is not available: ${notReady}. Check RABBITMQ_URL and that the broker runs.`);
    return await use(messaging);
  } finally {
    await messaging.close();
  }
}

/** @returns `1 call waits`, `2 calls wait` */
export function callsWait(calls: number): string {
  return counted(calls, 'call waits', 'calls wait');
}
