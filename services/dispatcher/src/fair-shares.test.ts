import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FairShares } from './grant-work.ts';

const START = new Date(0);
const waiting = (accountId: string, seconds: number, readySince = START) => ({ accountId, seconds, readySince });

/**
 * Serves `turns` calls of accounts that have work all the while; each account's calls have these lengths, over and
 * over.
 */
function serve(
  shares: FairShares,
  lengths: Record<string, number[]>,
  turns: number,
): { accountId: string; seconds: number }[] {
  const served: { accountId: string; seconds: number }[] = [];
  const counts: Record<string, number> = {};
  for (let turn = 0; turn < turns; turn += 1) {
    const candidates = Object.entries(lengths).map(([accountId, of]) =>
      waiting(accountId, of[(counts[accountId] ?? 0) % of.length] ?? 1),
    );
    const next = shares.next(candidates);
    if (next === null) throw new Error('nobody was next');
    shares.charge(next);
    counts[next.accountId] = (counts[next.accountId] ?? 0) + 1;
    served.push({ accountId: next.accountId, seconds: next.seconds });
  }
  return served;
}

const lengths = fc.array(fc.integer({ min: 1, max: 7_200 }), { minLength: 1, maxLength: 6 });
const accounts = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), lengths, {
  minKeys: 2,
  maxKeys: 5,
  noNullPrototype: true,
});
const longest = (of: number[] = []) => Math.max(...of);

describe('fair shares', () => {
  it('are equal seconds: at any moment two accounts differ by no more than one call of each', () => {
    fc.assert(
      fc.property(accounts, (of) => {
        const given = Object.fromEntries(Object.keys(of).map((account) => [account, 0]));
        const tooFar: string[] = [];
        for (const { accountId, seconds } of serve(new FairShares(), of, 300)) {
          given[accountId] = (given[accountId] ?? 0) + seconds;
          for (const [one, other] of pairs(Object.keys(of))) {
            const apart = Math.abs((given[one] ?? 0) - (given[other] ?? 0));
            if (apart > longest(of[one]) + longest(of[other])) tooFar.push(`${one} and ${other} by ${apart} s`);
          }
        }
        expect(tooFar).toEqual([]);
      }),
    );
  });

  it('between two calls of an account, another gets no more than the first of them and one of its own', () => {
    fc.assert(
      fc.property(accounts, (of) => {
        const served = serve(new FairShares(), of, 300);
        for (const [one, other] of pairs(Object.keys(of)).flatMap(([a, b]) => [
          [a, b],
          [b, a],
        ])) {
          const between: { others: number; allowed: number }[] = [];
          let since: { allowed: number; others: number } | null = null;
          for (const { accountId, seconds } of served) {
            if (accountId === one) {
              if (since !== null) between.push(since);
              since = { allowed: seconds + longest(of[other ?? '']), others: 0 };
            } else if (accountId === other && since !== null) since.others += seconds;
          }
          expect(between.filter(({ others, allowed }) => others > allowed)).toEqual([]);
        }
      }),
    );
  });

  it('a newcomer is next, however long its call is and however much the others have waiting', () => {
    fc.assert(
      fc.property(
        accounts,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 36_000 }),
        (of, turns, seconds) => {
          const shares = new FairShares();
          serve(shares, of, Object.keys(of).length + turns);
          const others = Object.keys(of).map((account) => waiting(account, 1));
          expect(shares.next([...others, waiting('newcomer', seconds, new Date())])?.accountId).toBe('newcomer');
        },
      ),
    );
  });

  it('a newcomer is next also before an account that has just paid its debt', () => {
    const shares = new FairShares();
    expect(serve(shares, { a: [60], b: [60] }, 3).map(({ accountId }) => accountId)).toEqual(['a', 'b', 'a']);
    expect(shares.next([waiting('b', 60), waiting('newcomer', 60, new Date())])?.accountId).toBe('newcomer');
  });

  it('among newcomers, the one that waits longest is next', () => {
    const shares = new FairShares();
    expect(
      shares.next([waiting('late', 1, new Date(2)), waiting('early', 9, new Date(1)), waiting('later', 1, new Date(3))])
        ?.accountId,
    ).toBe('early');
  });

  it('an account that comes with one call at a time gets no more than its share', () => {
    fc.assert(
      fc.property(lengths, lengths, (steady, coming) => {
        const shares = new FairShares();
        const given = { steady: 0, coming: 0 };
        const counts = { steady: 0, coming: 0 };
        let here = true;
        for (let turn = 0; turn < 300; turn += 1) {
          const offered = [waiting('steady', steady[counts.steady % steady.length] ?? 1)];
          if (here) offered.push(waiting('coming', coming[counts.coming % coming.length] ?? 1));
          const next = shares.next(offered);
          if (next === null) throw new Error('nobody was next');
          shares.charge(next);
          const who = next.accountId as keyof typeof given;
          given[who] += next.seconds;
          counts[who] += 1;
          here = who !== 'coming';
        }
        expect(given.coming - given.steady).toBeLessThanOrEqual(longest(steady) + longest(coming));
      }),
    );
  });

  it('an account that had nothing for long does not catch up on what it did not ask for', () => {
    const shares = new FairShares();
    serve(shares, { a: [60], b: [60] }, 10);
    serve(shares, { a: [60] }, 1_000);
    const served = serve(shares, { a: [60], b: [60] }, 20).map(({ accountId }) => accountId);
    expect(served.filter((account) => account === 'b')).toHaveLength(10);
  });

  it('calls without length still take turns', () => {
    const served = serve(new FairShares(), { a: [0], b: [0] }, 10).map(({ accountId }) => accountId);
    expect(served.filter((account) => account === 'a')).toHaveLength(5);
  });

  it('remembers only accounts in debt, and none when nobody waits', () => {
    const shares = new FairShares();
    for (let n = 0; n < 1_000; n += 1) serve(shares, { steady: [60], [`once ${n}`]: [60] }, 2);
    expect(shares.size).toBeLessThan(10);
    shares.forgive();
    expect(shares.size).toBe(0);
    expect(shares.next([])).toBeNull();
  });
});

function pairs(of: string[]): [string, string][] {
  return of.flatMap((one, at) => of.slice(at + 1).map((other): [string, string] => [one, other]));
}
