import { setTimeout as sleep, setImmediate as yieldToOthers } from 'node:timers/promises';
import {
  type ListedResult,
  type Tracker,
  type TrackerCounts,
  TrackerList,
  type TrackerResult,
} from '@call-analytics/contracts';
import type { Logger } from '@call-analytics/service-kit';
import type { Analysis } from './analysis.ts';
import type { Call } from './record.ts';
import type { AccountSettings, ResultPattern } from './store.ts';
import { type TrackerFinding, TrackerMatcher } from './tracker-match.ts';

// What an account's trackers find: in one call, computed when it is read. To count and list many, each completed call
// keeps results, such as `7:fan`: the revision of the trackers, and a letter for what each of them found.

/** Completed calls created at or after `from` and before `to`. */
export interface CallRange {
  from: Date;
  to: Date;
}

/** A completed call without results of the current trackers. */
export interface CallToTrack extends Pick<Call, 'id' | 'version' | 'createdAt'> {
  analysis: Pick<Analysis, 'lines' | 'rolesConfidence'>;
}

/**
 * What the trackers of an account find in its completed calls: a short text on each call, see trackers.ts. A write that
 * brings a transcript or an analysis removes it.
 */
export interface TrackerResults {
  /** How many completed calls have each text; null for none. At the cost of the account's calls in the range. */
  countTrackerResults(accountId: string, range: CallRange): Promise<{ results: string | null; calls: number }[]>;
  /**
   * Completed calls whose results do not begin with `current`, newest first.
   * @param before the last call of the previous page; null for the first page
   */
  callsToTrack(
    accountId: string,
    current: string,
    before: Pick<Call, 'id' | 'createdAt'> | null,
    limit: number,
  ): Promise<CallToTrack[]>;
  /** Saves the results of calls that still have these versions. Counts and searches have them when it returns. */
  saveTrackerResults(found: readonly (Pick<Call, 'id' | 'version'> & { results: string })[]): Promise<void>;
}

/** What trackers ask of `Calls`. */
interface TrackedCalls extends AccountSettings {
  trackerResults: TrackerResults;
}

const LETTERS: Readonly<Record<TrackerResult, string>> = { found: 'f', missing: 'm', not_found: 'a', not_judged: 'n' };
const CALLS_AT_ONCE = 10;
/** How long counts wait for missing results, such as those of calls that have just been completed. */
const WAIT_MS = 100;

/** The trackers of all accounts. Readers start the search of calls; no other service needs to know of trackers. */
export class Trackers {
  readonly #calls: TrackedCalls;
  readonly #log: Logger | null;
  /** The searches under way, by account. */
  readonly #searches = new Map<string, { revision: number; done: Promise<void> }>();
  #isStopped = false;

  constructor(calls: TrackedCalls, log: Logger | null = null) {
    this.#calls = calls;
    this.#log = log;
  }

  async list(accountId: string): Promise<TrackerList> {
    const found = await this.#calls.reads.settings(accountId, 'trackers');
    return found === null
      ? { revision: 0, trackers: [] }
      : TrackerList.parse({ revision: found.revision, trackers: found.value });
  }

  /**
   * @param revision of the list that the new one replaces
   * @returns the list with its new revision; null when the present list has another revision
   */
  async replace(accountId: string, { revision, trackers }: TrackerList): Promise<TrackerList | null> {
    if (!(await this.#calls.saveSettings(accountId, 'trackers', revision, trackers))) return null;
    const list = { revision: revision + 1, trackers };
    this.#searchCalls(accountId, list).catch(() => {});
    return list;
  }

  /** @returns what each tracker finds in a call */
  async inCall(
    accountId: string,
    analysis: Analysis,
  ): Promise<{ revision: number; found: (Tracker & TrackerFinding)[] }> {
    const { revision, trackers } = await this.list(accountId);
    const findings = new TrackerMatcher(trackers).find(analysis);
    return { revision, found: trackers.map((each, at) => ({ ...each, ...(findings[at] as TrackerFinding) })) };
  }

  /** What the trackers find in the completed calls of a range. Calls that have no results yet are `pending`. */
  async counts(accountId: string, range: CallRange): Promise<TrackerCounts> {
    const list = await this.list(accountId);
    const { revision, trackers } = list;
    if (trackers.length === 0) return { trackers: [], pending: 0 };
    const counted = await this.#resultsOf(accountId, list, range);
    const current = counted.filter(({ results }) => isOf(revision, results));
    const sum = (entries: readonly { calls: number }[]) => entries.reduce((total, { calls }) => total + calls, 0);
    return {
      trackers: trackers.map(({ name, kind, who }, at) => {
        const place = prefixOf(revision).length + at;
        const callsWith = (result: TrackerResult) =>
          sum(current.filter(({ results }) => results?.[place] === LETTERS[result]));
        const counts = { found: callsWith('found'), missing: callsWith('missing'), notJudged: callsWith('not_judged') };
        return { tracker: name, kind, who, ...counts };
      }),
      pending: sum(counted) - sum(current),
    };
  }

  /**
   * @param name of a tracker; case does not count
   * @returns how to search the calls with a result, or null when there is no such tracker
   */
  async patternOf(
    accountId: string,
    name: string,
    result: ListedResult,
    range: CallRange,
  ): Promise<ResultPattern | null> {
    const list = await this.list(accountId);
    const at = list.trackers.findIndex((each) => each.name.toLowerCase() === name.toLowerCase());
    if (at === -1) return null;
    await this.#resultsOf(accountId, list, range);
    return { prefix: prefixOf(list.revision), at, letter: LETTERS[result] };
  }

  /** @returns when no calls are searched any more */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.allSettled([...this.#searches.values()].map(({ done }) => done));
  }

  /** Searches calls without current results: for a moment before this returns, and on in the background. */
  async #resultsOf(accountId: string, list: TrackerList, range: CallRange) {
    const counted = await this.#calls.trackerResults.countTrackerResults(accountId, range);
    if (counted.every(({ results }) => isOf(list.revision, results))) return counted;
    const waited = new AbortController();
    const search = this.#searchCalls(accountId, list).finally(() => waited.abort());
    await Promise.race([search, sleep(WAIT_MS, undefined, waited).catch(() => {})]);
    search.catch(() => {});
    return this.#calls.trackerResults.countTrackerResults(accountId, range);
  }

  /** Searches the calls of an account that have no current results. One search at a time for each revision. */
  #searchCalls(accountId: string, list: TrackerList): Promise<void> {
    const running = this.#searches.get(accountId);
    if (running !== undefined && running.revision >= list.revision) return running.done;
    const done = this.#searchAll(accountId, list)
      .catch((error) => {
        this.#log?.warn(
          { err: error, accountId },
          'the search for trackers failed; the next request that reads trackers starts it again',
        );
        throw error;
      })
      .finally(() => {
        if (this.#searches.get(accountId)?.done === done) this.#searches.delete(accountId);
      });
    this.#searches.set(accountId, { revision: list.revision, done });
    return done;
  }

  /** Newest calls first. A search for newer trackers ends this one. */
  async #searchAll(accountId: string, { revision, trackers }: TrackerList): Promise<void> {
    const matcher = new TrackerMatcher(trackers);
    const prefix = prefixOf(revision);
    const isCurrent = () => !this.#isStopped && (this.#searches.get(accountId)?.revision ?? revision) <= revision;
    let last: Pick<Call, 'id' | 'createdAt'> | null = null;
    while (isCurrent()) {
      const calls = await this.#calls.trackerResults.callsToTrack(accountId, prefix, last, CALLS_AT_ONCE);
      if (calls.length === 0) return;
      const found = [];
      for (const { id, version, analysis } of calls) {
        const letters = matcher.find(analysis).map(({ result }) => LETTERS[result]);
        found.push({ id, version, results: prefix + letters.join('') });
        await yieldToOthers();
      }
      await this.#calls.trackerResults.saveTrackerResults(found);
      last = calls.at(-1) ?? null;
    }
  }
}

function prefixOf(revision: number): string {
  return `${revision}:`;
}

function isOf(revision: number, results: string | null): boolean {
  return results?.startsWith(prefixOf(revision)) ?? false;
}
