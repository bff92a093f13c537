import { DURABLE, MAJORITY } from './database.ts';
import type { Queries } from './parts.ts';
import { INDEX } from './schema.ts';

/** What the trackers of accounts find in their calls. */
export const trackerQueries = {
  async countTrackerResults({ calls }, accountId, { from, to }) {
    const range = { accountId, status: 'completed', createdAt: { $gte: from, $lt: to } };
    const counting = [{ $match: range }, { $group: { _id: '$trackerResults', calls: { $sum: 1 } } }];
    const found = await calls
      .aggregate<{ _id: string | null; calls: number }>(counting, { hint: INDEX.byTrackerResults, ...MAJORITY })
      .toArray();
    return found.map(({ _id, calls: number }) => ({ results: _id, calls: number }));
  },

  async callsToTrack({ calls, versions }, accountId, current, before, limit) {
    const older = before === null ? {} : { createdAt: { $lte: before.createdAt } };
    const found = await calls
      .find(
        {
          ...{ accountId, status: 'completed', ...older, trackerResults: { $not: { $regex: `^${current}` } } },
          ...(before === null ? {} : { $or: [{ createdAt: { $lt: before.createdAt } }, { _id: { $lt: before.id } }] }),
        },
        {
          projection: {
            ...{ schemaVersion: 1, version: 1, createdAt: 1, 'analysis.rolesConfidence': 1 },
            ...{ 'analysis.lines.role': 1, 'analysis.lines.speaker': 1, 'analysis.lines.text': 1 },
          },
          ...{ hint: INDEX.byTrackerResults, sort: { createdAt: -1, _id: -1 }, limit, ...MAJORITY },
        },
      )
      .toArray();
    return found.flatMap((document) => {
      const { _id, version, createdAt, analysis } = versions.read(document);
      return analysis === undefined ? [] : [{ id: _id, version, createdAt, analysis }];
    });
  },

  async saveTrackerResults({ calls }, found) {
    if (found.length === 0) return;
    const operations = found.map(({ id, version, results }) => ({
      updateOne: { filter: { _id: id, version }, update: { $set: { trackerResults: results } } },
    }));
    await calls.bulkWrite(operations, { ordered: false, writeConcern: DURABLE });
  },
} satisfies Queries;
