import { openMongoCallStore } from '@call-analytics/calls/mongo';
import { MongoClient } from 'mongodb';
import type { CountsDocument } from '../../../../libs/calls/mongo/collections.ts';
import type { CallDocument } from '../../../../libs/calls/mongo/schema.ts';
import { finishOne } from '../../seed/calls.ts';

const AT_ONCE = 5_000;

/**
 * Fills a call database with finished calls: the first in the way in which every call is finished, the others copied
 * from it, a second apart, the newest from now.
 * @param url of the database
 * @param documents whether each copy gets the transcript and the analysis too; lists do not read them
 */
export async function seedFinishedCalls(
  url: string,
  { accountId, count, documents }: { accountId: string; count: number; documents: boolean },
): Promise<void> {
  const { id } = await finishOne(await openMongoCallStore({ url }), accountId);
  const client = await MongoClient.connect(url);
  try {
    const calls = client.db().collection<CallDocument>('calls');
    const found = await calls.findOne({ _id: id });
    if (found === null) throw new Error('the finished call is not there');
    const { uncounted: _, transcript, analysis, words, ...rest } = found;
    const large = { ...(transcript && { transcript }), ...(analysis && { analysis }), ...(words && { words }) };
    const model: CallDocument = { ...rest, ...(documents ? large : {}), counted: rest.status };
    for (let from = 1; from < count; from += AT_ONCE) {
      const copies = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => copy(model, from + n));
      await calls.insertMany(copies, { ordered: false, writeConcern: { w: 1 } });
    }
    await client
      .db()
      .collection<CountsDocument>('call_counts')
      .updateOne(
        { _id: accountId },
        { $inc: { [`calls.${rest.status}`]: count - 1 } },
        { upsert: true, writeConcern: { w: 'majority' } },
      );
  } finally {
    await client.close();
  }
}

/** @param n how many seconds older it is, and a number of its own */
function copy(model: CallDocument, n: number): CallDocument {
  const earlier = (at: Date) => new Date(at.getTime() - n * 1_000);
  return {
    ...model,
    _id: `${model._id}${n}`,
    audio: { ...model.audio, key: `${model.audio.key}-${n}` },
    createdAt: earlier(model.createdAt),
    updatedAt: earlier(model.updatedAt),
    readySince: earlier(model.readySince),
  };
}
