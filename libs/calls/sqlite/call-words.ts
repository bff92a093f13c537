import { hash } from 'node:crypto';
import type { Analysis, Transcript } from '../record.ts';
import { indexedWords, searchedTexts } from '../search/searched.ts';
import type { Database, Statement } from './database.ts';

export const WORD_STATEMENTS = {
  save: 'INSERT OR REPLACE INTO call_words (rowid, words) VALUES (?, ?)',
  purge: 'DELETE FROM call_words WHERE rowid = ?',
  older: `
    SELECT calls.seq, account_id, file_name, analyses.body, CASE WHEN analyses.body IS NULL THEN transcripts.body END
    FROM calls
    LEFT JOIN analyses ON analyses.call_seq = calls.seq LEFT JOIN transcripts ON transcripts.call_seq = calls.seq
    WHERE calls.seq <= (SELECT up_to FROM calls_to_index) ORDER BY calls.seq DESC LIMIT ? + 0`,
  indexed: 'UPDATE calls_to_index SET up_to = ?',
} as const;

interface Content {
  transcript?: Transcript | null;
  analysis?: Analysis | null;
}

/** The search index over the words of calls. Its rows are written in the transactions that write the texts. */
export class CallWords {
  readonly #db: Database;
  readonly #sql: Record<keyof typeof WORD_STATEMENTS, Statement>;

  constructor(db: Database) {
    this.#db = db;
    this.#sql = db.prepareAll(WORD_STATEMENTS);
  }

  /** Within a write: indexes a call, in place of what was indexed of it before. */
  save(seq: number, accountId: string, fileName: string, content: Content): void {
    const account = prefixOf(accountId);
    const words = indexedWords(searchedTexts(fileName, content)).map((word) => account + word);
    this.#sql.save.run(seq, words.join(' '));
  }

  /** Within a write. */
  purge(seq: number): void {
    this.#sql.purge.run(seq);
  }

  /** Indexes some calls that an earlier release has written, the newest first. @returns how many; 0 when none is left */
  indexOlder(limit: number): number {
    return this.#db.write(false, () => {
      const rows = this.#sql.older.all(limit);
      for (const [seq, accountId, fileName, analysis, transcript] of rows) {
        const content = { analysis: parsed<Analysis>(analysis), transcript: parsed<Transcript>(transcript) };
        this.save(Number(seq), String(accountId), String(fileName), content);
      }
      const last = rows.at(-1)?.[0];
      if (last !== undefined) this.#sql.indexed.run(Number(last) - 1);
      return rows.length;
    });
  }
}

/**
 * What `call_words MATCH` takes: a call of the account that has each of the words, at least as the beginning of one.
 * @param words at least one, of letters and digits alone
 */
export function matching(accountId: string, words: readonly string[]): string {
  const account = prefixOf(accountId);
  return words.map((word) => `"${account}${word}"*`).join(' AND ');
}

/** Of two accounts with the same eight characters each reads the other's index entries too; rows are checked by account. */
function prefixOf(accountId: string): string {
  return hash('sha256', accountId, 'hex').slice(0, 8);
}

function parsed<T>(body: unknown): T | null {
  return typeof body === 'string' ? (JSON.parse(body) as T) : null;
}
