import { addedBy, dayOf, sumOf } from '../spending.ts';
import type { Queries } from './parts.ts';
import { INDEX } from './schema.ts';

/** What calls have cost, in their documents, and what accounts have spent on each day. */
export const spendingQueries = {
  async costs({ calls }, callId) {
    const found = await calls.findOne({ _id: callId }, { projection: { costs: 1 } });
    const costs = Object.entries(found?.costs ?? {}).map(([attempt, cost]) => ({ attempt: Number(attempt), ...cost }));
    return costs.sort((a, b) => a.attempt - b.attempt);
  },

  async recordCost({ calls, spending, transaction }, callId, cost) {
    const { attempt, dollars, at, ...of } = cost;
    const path = `costs.${attempt}`;
    const raised = { $max: { [`${path}.dollars`]: dollars, [`${path}.at`]: at } };
    const named = { [`${path}.stage`]: of.stage, [`${path}.engine`]: of.engine };
    const day = dayOf(at);
    await transaction(async (session) => {
      const projection = { accountId: 1, 'audio.seconds': 1, paidSeconds: 1, [`${path}.dollars`]: 1 };
      const found = await calls.findOne({ _id: callId }, { projection, session });
      if (found === null) return;
      const { accountId, paidSeconds = null, costs, audio } = found;
      const known = { seconds: audio.seconds, paidSeconds, dollars: costs?.[attempt]?.dollars };
      const added = addedBy(cost, known);
      if (added === null) return;
      const write = { ...raised, $set: { ...named, paidSeconds: audio.seconds } };
      await calls.updateOne({ _id: callId }, write, { session });
      const sum = { $inc: { ...added }, $max: { at }, $setOnInsert: { accountId } };
      await spending.updateOne({ _id: `${day} ${accountId}` }, sum, { session, upsert: true });
    });
  },

  async spendingByDay({ spending }, accountId, from, to) {
    const of = { accountId, _id: { $gte: `${from} `, $lt: `${to}!` } };
    // A few hundred for a year, so that sorting them here needs no other index.
    const days = await spending.find(of, { hint: INDEX.spendingOfAccount }).toArray();
    days.sort((a, b) => (a._id < b._id ? -1 : 1));
    return days.map(({ _id, accountId: _account, at: _at, ...sums }) => ({
      ...sumOf([sums]),
      day: _id.slice(0, _id.indexOf(' ')),
    }));
  },

  async spending({ spending, accountSettings }, day, accountId) {
    // '!' comes after the space that ends the day.
    const _id = accountId === undefined ? { $gte: `${day} `, $lt: `${day}!` } : `${day} ${accountId}`;
    const spent = await spending.find({ _id }).toArray();
    if (spent.length === 0) return [];
    const settings = await accountSettings
      .find({ _id: { $in: spent.map((each) => each.accountId) } }, { projection: { spendingLimit: 1 } })
      .toArray();
    const limits = new Map(settings.map((each) => [each._id, each.spendingLimit]));
    return spent.map(({ accountId: account, dollars, unpricedTranscription = 0, unpricedAnalysis = 0, at }) => {
      const own = limits.get(account);
      const unpriced = unpricedTranscription + unpricedAnalysis;
      return { accountId: account, dollars, unpriced, at, ...(own === undefined ? {} : { ownLimit: own.value }) };
    });
  },
} satisfies Queries;
