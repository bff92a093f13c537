import { dayOf } from '../spending.ts';
import type { Queries } from './parts.ts';

/** What calls have cost, in their documents, and what accounts have spent on each day. */
export const spendingQueries = {
  async costs({ calls }, callId) {
    const found = await calls.findOne({ _id: callId }, { projection: { costs: 1 } });
    const costs = Object.entries(found?.costs ?? {}).map(([attempt, cost]) => ({ attempt: Number(attempt), ...cost }));
    return costs.sort((a, b) => a.attempt - b.attempt);
  },

  async recordCost({ calls, spending, transaction }, callId, { attempt, dollars, at, ...of }) {
    const path = `costs.${attempt}`;
    const raised = { $max: { [`${path}.dollars`]: dollars, [`${path}.at`]: at } };
    const named = { $set: { [`${path}.stage`]: of.stage, [`${path}.engine`]: of.engine } };
    const day = dayOf(at);
    await transaction(async (session) => {
      const projection = { accountId: 1, [`${path}.dollars`]: 1 };
      const options = { projection, returnDocument: 'before', session } as const;
      const before = await calls.findOneAndUpdate({ _id: callId }, { ...raised, ...named }, options);
      const added = dollars - (before?.costs?.[attempt]?.dollars ?? 0);
      if (before === null || added <= 0) return;
      const { accountId } = before;
      const sum = { $inc: { dollars: added }, $max: { at }, $setOnInsert: { accountId } };
      await spending.updateOne({ _id: `${day} ${accountId}` }, sum, { session, upsert: true });
    });
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
    return spent.map(({ accountId: account, dollars, at }) => {
      const own = limits.get(account);
      return { accountId: account, dollars, at, ...(own === undefined ? {} : { ownLimit: own.value }) };
    });
  },
} satisfies Queries;
