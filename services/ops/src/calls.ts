import { type AttemptCost, type Call, type CallStore, type CallSummary, NOTHING_KEPT } from '@call-analytics/calls';
import { QUEUE_NAMES, STAGES } from '@call-analytics/contracts';
import { type CommandAnswer, WorkError } from '@call-analytics/service-kit';
import { type Command, callsWait, type Env, withCalls, withMessaging } from './command.ts';
import { howToResume } from './drain.ts';

const NO_REASON = 'An operator ended this call. Retry it, or upload the recording again.';

/** Commands about calls, for any installation. */
export const CALL_COMMANDS: Readonly<Record<string, Command>> = {
  'calls list': {
    args: '',
    options: ['account', 'status', 'limit'],
    help: 'lists the calls of an account, newest first',
    wrong: ({ account }) => (account === undefined ? 'needs --account ID' : null),
    run: ({ account = '', status, limit = 100 }, { env }) =>
      withCalls(env, async ({ reads }) => {
        const query = { limit: Math.min(limit, 1_000), offset: 0, ...(status === undefined ? {} : { status }) };
        const { calls, total } = await reads.list(account, query);
        const more = total > calls.length ? `\n\n${calls.length} of ${total}. Raise --limit to see more.` : '';
        const text = calls.length === 0 ? 'No calls.' : `${calls.map(lineOf).join('\n')}${more}`;
        return { json: { calls, total }, text };
      }),
  },
  'calls show': {
    args: 'ID',
    help: 'shows the state of a call; never what was said in it',
    run: ({ args: [id = ''] }, { env }) =>
      withCalls(env, async ({ reads, spending }) => {
        const call = await reads.get(id);
        if (call === null) throw noCall(id);
        const [segments, costs] = await Promise.all([reads.segments(id), spending.costs(id)]);
        return { json: { call, segments: segments.length, costs }, text: pageOf(call, segments.length, costs) };
      }),
  },
  'calls retry': {
    args: 'ID',
    help: 'retries a failed call of which a recording with sound or a transcript is kept',
    run: ({ args: [id = ''] }, { env }) =>
      withCalls(env, async (calls) => {
        const call = await calls.reads.get(id);
        const result = call === null ? null : await calls.retry(call.accountId, id);
        if (result === null) throw noCall(id);
        if ('call' in result) return changed(result.call, `${id} is queued again.`);
        throw refused(
          result.refused === 'not failed'
            ? `The call is ${call?.status}. Only a failed call can be retried.`
            : NOTHING_KEPT,
        );
      }),
  },
  'calls fail': {
    args: 'ID [REASON]',
    help: 'ends an unfinished call; its owner reads the reason and may retry it',
    run: ({ args: [id = '', reason = NO_REASON] }, { env }) =>
      withCalls(env, async (calls) => {
        const result = await calls.fail(id, reason);
        if (result === null) throw noCall(id);
        if ('refused' in result) throw refused(`The call is ${result.refused}. Only an unfinished call can be ended.`);
        return changed(result.call, `${id} has failed. A worker that has it stops at the next renewal of its lease.`);
      }),
  },
  queues: {
    args: '',
    help: 'shows the work of each stage: waiting, granted, in work, and room for more',
    run: (_, { env }) => withCalls(env, async (_calls, store) => queuesOf(env, store)),
  },
  spending: {
    args: '',
    help: 'shows what accounts have spent today (UTC) by list prices, and the limit of each',
    run: (_, { env }) =>
      withCalls(env, async ({ spending }) => {
        const accounts = (await spending.accountsToday()).sort((a, b) => (b.dollars ?? 0) - (a.dollars ?? 0));
        const lines = accounts.map(({ accountId, dollars, limit, isReached }) => {
          const of = limit === null ? 'no limit' : `of ${shownDollars(limit)}${isReached ? ', reached' : ''}`;
          return `${accountId}  ${shownDollars(dollars).padStart(12)}  ${of}`;
        });
        return { json: { accounts }, text: lines.length === 0 ? 'Nothing is spent today.' : lines.join('\n') };
      }),
  },
  migrations: {
    args: '',
    help: 'shows which changes of stored data are done, run in the background or wait',
    run: (_, { env }) =>
      withCalls(env, async (_calls, store) => {
        const migrations = await store.migrations();
        const lines = migrations.map(({ name, state, text }) => `${state.padEnd(8)} ${name.padEnd(25)}  ${text}`);
        return { json: { migrations }, text: lines.join('\n') };
      }),
  },
};

async function queuesOf(env: Env, store: CallStore): Promise<CommandAnswer> {
  const now = new Date();
  const [figures, capacity, drained] = await Promise.all([
    store.figures(now),
    store.capacity(now),
    store.drainedStages(),
  ]);
  const stages = STAGES.map((stage) => ({
    stage,
    ready: figures.ready[stage],
    granted: figures.granted[stage],
    leased: figures.leased[stage],
    capacity: capacity[stage],
    drainedSince: drained.get(stage) ?? null,
  }));
  const broker = env.RABBITMQ_URL
    ? await withMessaging(env, async (messaging) => ({
        messages: Object.fromEntries(
          await Promise.all(QUEUE_NAMES.map(async (queue) => [queue, await messaging.depth(queue)])),
        ) as Record<string, number>,
        deadLetters: (await messaging.deadLetters(1_000)).length,
      }))
    : null;
  const { oldestOutboxAgeMs, audioDue, waiting } = figures;
  const rows = [
    ['stage', 'ready', 'granted', 'in work', 'capacity'],
    ...stages.map(({ stage, ...each }) => [stage, each.ready, each.granted, each.leased, each.capacity]),
  ].map(([first, ...rest]) => `${String(first).padEnd(14)}${rest.map((cell) => String(cell).padStart(9)).join('')}`);
  const waitedFor = Object.entries(waiting).filter(([, calls]) => calls > 0);
  const text = [
    ...rows,
    '',
    ...[...drained].map(([stage, at]) => `${stage} is drained since ${at.toISOString()}. ${howToResume(stage)}`),
    ...waitedFor.map(([dependency, calls]) => `${callsWait(calls)} for ${dependency.replaceAll('_', ' ')}`),
    `oldest event that is not published: ${(oldestOutboxAgeMs / 1_000).toFixed(1)} s`,
    `recordings to delete: ${audioDue}`,
    ...(broker === null
      ? []
      : [
          `messages that wait: ${Object.entries(broker.messages)
            .map(([queue, messages]) => `${queue} ${messages}`)
            .join(', ')}`,
          `dead letters: ${broker.deadLetters}`,
        ]),
  ].join('\n');
  return { json: { stages, waiting, oldestOutboxAgeMs, audioDue, broker }, text };
}

function lineOf({ id, status, createdAt, fileName }: CallSummary): string {
  return `${id}  ${createdAt.toISOString()}  ${status.padEnd(12)}  ${fileName}`;
}

function pageOf(call: Call, segments: number, costs: readonly AttemptCost[]): string {
  const { audio, lease, waiting, lastFailure, failure, removal } = call;
  const time = (date: Date | null | undefined) => date?.toISOString() ?? '–';
  const rows: [string, string][] = [
    ['id', call.id],
    ['account', call.accountId],
    ['file', `${call.fileName}, ${audio.format}, ${audio.bytes} bytes, ${audio.seconds} s`],
    ['status', removal === null ? call.status : `${call.status}, deleted ${time(removal.at)}`],
    ['stage', call.stage ?? '–'],
    ['attempts', `${call.attempt}, ${call.failures} counted failures in this stage, ${call.retries} retries`],
    ['worker', lease === null ? '–' : `${lease.worker}, lease until ${time(lease.until)}`],
    ['granted until', time(call.grantedUntil)],
    ['next attempt', time(call.nextAttemptAt)],
    ['waits for', waiting === null ? '–' : `${waiting.for.replaceAll('_', ' ')} since ${time(waiting.since)}`],
    ['transcribed', `${audio.secondsDone} s in ${segments} kept segments`],
    ['costs', costs.map(({ stage, dollars }) => `${stage} ${shownDollars(dollars)}`).join(', ') || '–'],
    [
      'last failure',
      lastFailure === null ? '–' : `${lastFailure.code}: ${lastFailure.message} (${time(lastFailure.at)})`,
    ],
    ['failed with', failure === null ? '–' : `${failure.code}: ${failure.message}`],
    [
      'recording',
      audio.deletedAt === null ? `kept; to be deleted ${time(audio.deleteAfter)}` : `deleted ${time(audio.deletedAt)}`,
    ],
    ['created', time(call.createdAt)],
    ['updated', time(call.updatedAt)],
  ];
  return rows.map(([name, value]) => `${name.padEnd(14)} ${value}`).join('\n');
}

function shownDollars(dollars: number | null): string {
  return dollars === null ? 'unknown' : `$${dollars.toFixed(4)}`;
}

function changed(call: Call, text: string): CommandAnswer {
  return { json: { call }, text };
}

function noCall(id: string): WorkError {
  return refused(`Call not found: ${id}. List calls with "npm run ops -- calls list --account ID".`);
}

function refused(message: string): WorkError {
  return new WorkError({ kind: 'rejected', code: 'refused', message });
}
