import { accountsIn, callsIn, checkVersion } from '../sqlite/copy.ts';
import type { Documents } from './copy.ts';
import { newDocument } from './documents.ts';
import { SchemaVersions } from './parts.ts';
import { wordsOf } from './words.ts';

const { current: schemaVersion } = new SchemaVersions();

/**
 * The calls of a standalone installation as documents of MongoDB, with the same ids, versions and times.
 * @param file a copy of its database, which is not changed
 * @throws Error when another release has written it
 */
export function documentsInSqlite(file: string): Documents {
  checkVersion(file);
  return function* (collection) {
    if (collection === 'removed_accounts')
      for (const { id, at } of accountsIn(file).removed) yield { _id: id, at, isEmptied: false };
    if (collection === 'account_settings') {
      const settings = Object.groupBy(accountsIn(file).settings, ({ accountId }) => accountId);
      for (const [_id, ofAccount = []] of Object.entries(settings))
        yield { _id, ...Object.fromEntries(ofAccount.map(({ name, revision, value }) => [name, { revision, value }])) };
    }
    if (collection === 'spending')
      for (const { day, ...spent } of accountsIn(file).spending) yield { _id: `${day} ${spent.accountId}`, ...spent };
    if (collection !== 'calls') return;
    for (const { call, transcript, analysis, segments, costs, paidSeconds, ...rest } of callsIn(file)) {
      const content = { ...(transcript && { transcript }), ...(analysis && { analysis }) };
      const paid = Object.fromEntries(costs.map(({ attempt, ...cost }) => [attempt, cost]));
      const words = wordsOf(call.fileName, content);
      const about = { ...rest, schemaVersion, words, at: call.updatedAt };
      const { uncounted: _, ...document } = newDocument(call, about);
      // SQLite keeps the segments beside the transcript that replaces them.
      yield {
        ...document,
        ...content,
        ...(costs.length > 0 && { costs: paid }),
        ...(paidSeconds !== null && { paidSeconds }),
        counted: document.status,
        segments: transcript ? [] : segments,
      };
    }
  };
}
