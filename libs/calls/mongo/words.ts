import { indexedWords, type SearchedAnalysis, searchedTexts } from '../search.ts';
import { bringsText, type CallChange, type Write } from '../store.ts';
import { type Database, DURABLE, PRIMARY_ONLY } from './database.ts';
import type { CallDocument, IndexingDocument, WordSource } from './schema.ts';

/** The words of a call as its document holds them, written together with the texts that they come from. */
export type CallWords = Required<Pick<CallDocument, 'words' | 'wordSource'>>;

type Content = Pick<CallChange, 'transcript'> & { analysis?: SearchedAnalysis | null };

export function wordsOf(fileName: string, { transcript, analysis }: Content): CallWords {
  return {
    words: indexedWords(searchedTexts(fileName, { transcript: transcript ?? null, analysis: analysis ?? null })),
    wordSource: analysis != null ? 'analysis' : transcript === undefined ? 'name' : 'transcript',
  };
}

/** @returns the words of a call after a write that brings a transcript or an analysis; null after any other */
export function wordsAfter(write: Write, fileName: string): CallWords | null {
  return bringsText(write.change) ? wordsOf(fileName, write.change) : null;
}

const PROGRESS = { _id: 'calls' } as const;
const AFTER_ALL = '~';
/** How long a rollout may take, during which the earlier release still writes calls without words. */
const ROLLOUT_MS = 48 * 3_600_000;
/** Attempts for a call that others write at the same time. */
const MAX_ATTEMPTS = 10;

/** The fields of a document that are searched. */
export const SEARCHED_FIELDS = {
  fileName: 1,
  version: 1,
  'analysis.product': 1,
  'analysis.summary': 1,
  'analysis.lines.text': 1,
  'transcript.utterances.text': 1,
} as const;

/** Indexes calls of earlier releases, newest first: the ids of calls are in the order of their creation. */
export class OlderCalls {
  readonly #database: Database;
  #hasBegun = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * @returns how many calls it looked at; 0 when none is left. Each process starts once with the calls of the last two
   * days.
   */
  async index(limit: number, now: Date): Promise<number> {
    const { calls, indexing } = this.#database;
    const { before, until } = await this.#progress(now);
    const looked = await calls
      .find(
        { _id: { $gte: until, $lt: before } },
        {
          projection: { wordSource: 1, source: SOURCE },
          sort: { _id: -1 },
          limit,
        },
      )
      .toArray();
    for (const { _id, wordSource, ...rest } of looked) {
      if (wordSource !== (rest as { source?: WordSource }).source) await this.#indexOne(_id);
    }
    const next = looked.at(-1)?._id ?? until;
    // A majority that has this write has the words before it too.
    await indexing.updateOne({ ...PROGRESS, before }, { $set: { before: next } }, { writeConcern: DURABLE });
    return looked.length;
  }

  async #progress(now: Date): Promise<Pick<IndexingDocument, 'before' | 'until'>> {
    const { indexing } = this.#database;
    const begun = { before: AFTER_ALL, until: '' };
    const found = await indexing.findOneAndUpdate(
      PROGRESS,
      { $setOnInsert: begun },
      { upsert: true, returnDocument: 'after', writeConcern: DURABLE },
    );
    const progress = found ?? begun;
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    if (!isFirst || progress.before > progress.until) return progress;
    const again = { before: AFTER_ALL, until: idAt(now.getTime() - ROLLOUT_MS) };
    await indexing.updateOne({ ...PROGRESS, before: progress.before }, { $set: again }, { writeConcern: DURABLE });
    return again;
  }

  async #indexOne(callId: string): Promise<void> {
    const { calls } = this.#database;
    for (let left = MAX_ATTEMPTS; left > 0; left -= 1) {
      const found = await calls.findOne({ _id: callId }, { projection: SEARCHED_FIELDS });
      if (found === null) return;
      const { fileName, version, transcript, analysis } = found;
      const words = wordsOf(fileName, {
        ...(transcript === undefined ? {} : { transcript }),
        analysis: analysis ?? null,
      });
      const written = await calls.updateOne({ _id: callId, version }, { $set: words }, { writeConcern: PRIMARY_ONLY });
      if (written.matchedCount === 1) return;
    }
  }
}

const isThere = (field: string) => ({ $ne: [{ $type: `$${field}` }, 'missing'] });
const SOURCE = { $cond: [isThere('analysis'), 'analysis', { $cond: [isThere('transcript'), 'transcript', 'name'] }] };

/**
 * Ids of calls are `call_` and a UUID of version 7, which begins with its time in ms:
 * https://www.rfc-editor.org/rfc/rfc9562#section-5.7
 */
function idAt(ms: number): string {
  return `call_${ms.toString(16).padStart(12, '0')}`;
}
