import type { Call } from '../record.ts';
import type { Database, Index } from './database.ts';
import { EPOCH, NOT_SET, RECORD_FIELDS, toCall } from './documents.ts';
import type { SchemaVersions } from './schema-versions.ts';

const DUE = 'audio_due';
const BY_KEY = 'audio_by_key';
export const AUDIO_INDEXES: readonly Index[] = [
  // audioDue, countAudioDue
  {
    name: DUE,
    key: { 'audio.deleteAfter': 1, stage: 1, 'audio.deletedAt': 1 },
    partialFilterExpression: { 'audio.deletedAt': NOT_SET, 'audio.deleteAfter': { $gte: EPOCH } },
  },
  // audioKeysInUse: calls whose audio is gone are not in it
  {
    name: BY_KEY,
    key: { 'audio.key': 1, 'audio.deletedAt': 1 },
    partialFilterExpression: { 'audio.deletedAt': NOT_SET },
  },
];

const due = (now: Date) => ({
  'audio.deletedAt': NOT_SET,
  'audio.deleteAfter': { $gte: EPOCH, $lte: now },
  stage: null,
});

/** Longest due first. Asked of majorities: a recording that is deleted does not come back when its call's end is lost. */
export async function audioDue(
  { calls }: Database,
  versions: SchemaVersions,
  now: Date,
  limit: number,
): Promise<Call[]> {
  const found = await calls
    .find(due(now), {
      projection: RECORD_FIELDS,
      hint: DUE,
      sort: { 'audio.deleteAfter': 1 },
      limit,
      readConcern: { level: 'majority' },
    })
    .toArray();
  return found.map((document) => toCall(versions.read(document)));
}

export async function countAudioDue({ calls }: Database, now: Date): Promise<number> {
  return calls.countDocuments(due(now), { hint: DUE });
}

/** Asked of the latest, not of majorities: a call that is being written holds its recording already. */
export async function audioKeysInUse({ calls }: Database, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const found = await calls
    .find(
      { 'audio.key': { $in: keys }, 'audio.deletedAt': NOT_SET },
      { projection: { _id: 0, 'audio.key': 1 }, hint: BY_KEY },
    )
    .toArray();
  return new Set(found.map(({ audio }) => audio.key));
}
