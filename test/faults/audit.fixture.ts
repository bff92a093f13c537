import { setTimeout as delay } from 'node:timers/promises';
import type { CallListItem } from '@call-analytics/contracts';
import type { StandIn } from '@call-analytics/stand-in';
import type { Cluster } from '../e2e/cluster.fixture.ts';
import type { Account } from './account.fixture.ts';
import { SEGMENTS } from './account.fixture.ts';
import type { Deployment } from './deployment.fixture.ts';

/** What has become of everything that was accepted. */
export interface Audit {
  accepted: number;
  completed: number;
  /** How many calls failed with which message to their owner. */
  failed: Record<string, number>;
  /** Accepted, and not among the account's calls. */
  lost: string[];
  /** Deleted for good, and among the account's calls. */
  undeleted: string[];
  unfinished: string[];
  /** More calls than uploads. */
  surplus: number;
  /** Calls of which a stage was brought to its end more than once. */
  doneTwice: string[];
  /** Segments that the engine answered more than once, and so was paid for more than once. */
  paidTwice: number;
  /** Attempts that ended with segments at the engine: the worker was killed or stopped, or lost its lease. */
  cutShort: number;
  /** Pieces of completed calls that the engine never answered. */
  unpaid: number;
  recordings: number;
  deadLetters: string[];
  /** What processes wrote on their way down, and failures that nobody classified. */
  bugs: string[];
}

export const NOTHING_LOST: Omit<Audit, 'accepted' | 'completed' | 'cutShort'> = {
  failed: {},
  lost: [],
  undeleted: [],
  unfinished: [],
  surplus: 0,
  doneTwice: [],
  paidTwice: 0,
  unpaid: 0,
  recordings: 0,
  deadLetters: [],
  bugs: [],
};

/** Waits until every call is finished and every recording gone, for as long as `withinMs`, and counts. */
export async function auditCalls(
  { cluster, standIn, servers }: Deployment,
  accounts: Account[],
  withinMs: number,
): Promise<Audit> {
  const until = Date.now() + withinMs;
  const calls = await settled(
    async () => (await Promise.all(accounts.map((account) => account.calls()))).flat(),
    areFinished,
    until,
  );
  const left = await settled(
    () => servers.recordings(),
    (count) => count === 0,
    until,
  );
  const accepted = accounts.flatMap((account) => [...account.accepted]);
  const listed = new Set(calls.map(({ id }) => id));
  const uploads = accepted.length + accounts.reduce((sum, { undecided }) => sum + undecided, 0);
  const completed = calls.filter(({ status }) => status === 'completed').length;
  const paid = timesPaid(standIn);
  return {
    accepted: accepted.length,
    completed,
    failed: await reasons(accounts, calls),
    lost: accepted.filter((id) => !listed.has(id)),
    undeleted: accounts.flatMap(({ deleted }) => [...deleted].filter((id) => listed.has(id))),
    unfinished: calls.filter((call) => !isFinished(call)).map(({ id, status }) => `${id} ${status}`),
    surplus: Math.max(0, calls.length - uploads),
    doneTwice: doneTwice(cluster, listed),
    paidTwice: paid.reduce((sum, times) => sum + times - 1, 0),
    cutShort: cutShort(cluster),
    unpaid: Math.max(0, completed * SEGMENTS - paid.length),
    recordings: left,
    deadLetters: await servers.deadLetters(),
    bugs: bugs(cluster),
  };
}

/**
 * Asks until the answer is right or the time is up. While something is not there yet, not to be answered is no answer.
 */
async function settled<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean, until: number): Promise<T> {
  for (;;) {
    const late = Date.now() > until;
    try {
      const answer = await ask();
      if (late || isRight(answer)) return answer;
    } catch (error) {
      if (late) throw error;
    }
    await delay(100);
  }
}

function isFinished({ status }: CallListItem): boolean {
  return status === 'completed' || status === 'failed';
}

function areFinished(calls: CallListItem[]): boolean {
  return calls.every(isFinished);
}

async function reasons(accounts: Account[], calls: CallListItem[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { id } of calls.filter(({ status }) => status === 'failed')) {
    const details = await Promise.all(accounts.map(({ client }) => client.call(id)));
    const reason = details.find(({ errorMessage }) => errorMessage !== undefined)?.errorMessage ?? 'without a reason';
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

function doneTwice(cluster: Cluster, ids: Set<string>): string[] {
  const ends = new Map<string, number>();
  for (const { msg, outcome, callId, stage } of cluster.log()) {
    if (msg !== 'ended' || outcome !== 'done' || !ids.has(String(callId))) continue;
    const what = `${callId} ${stage}`;
    ends.set(what, (ends.get(what) ?? 0) + 1);
  }
  return [...ends].filter(([, times]) => times > 1).map(([what]) => what);
}

function cutShort(cluster: Cluster): number {
  const attempts = cluster.log('transcription').filter(({ stage }) => stage === 'transcription');
  const finished = attempts.filter(
    ({ msg, reason }) => msg === 'ended' && reason !== 'the lease is lost' && reason !== 'the service stops',
  );
  return attempts.filter(({ msg }) => msg === 'started').length - finished.length;
}

/** @returns for each piece that the engine has answered, how often */
function timesPaid({ requests }: StandIn): number[] {
  const times = new Map<string, number>();
  for (const { hash, answered } of requests) if (answered === 200) times.set(hash, (times.get(hash) ?? 0) + 1);
  return [...times.values()];
}

function bugs(cluster: Cluster): string[] {
  const said = cluster.log().filter(({ level, kind }) => level === 'fatal' || kind === 'bug');
  return [
    ...said.map((line) => JSON.stringify(line)),
    ...cluster.members.map(({ process }) => process.errors).filter((text) => text !== ''),
  ];
}
