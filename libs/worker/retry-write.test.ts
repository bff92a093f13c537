import { WorkError } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import { retryWrite } from './stage-worker.ts';

const never = new AbortController().signal;
const away = (code = 'store_unavailable') => new WorkError({ kind: 'transient', code, message: 'Not now.' });

describe('writing a result that was paid for', () => {
  it('is tried again while the store is away', async () => {
    const answers = [away(), away('store_full'), null];
    const write = async () => {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return true;
    };
    expect(await retryWrite(write, never)).toBe(true);
    expect(answers).toEqual([]);
  });

  it.each([
    ['a bug', new Error('a bug')],
    ['an engine that is away', away('engine_unavailable')],
  ])('is not tried again after another error: %s', async (_, error) => {
    let tries = 0;
    const write = async () => {
      tries += 1;
      throw error;
    };
    await expect(retryWrite(write, never)).rejects.toBe(error);
    expect(tries).toBe(1);
  });

  it('ends when the lease is lost, with that as the reason', async () => {
    const lost = new AbortController();
    const write = async () => {
      lost.abort(new Error('the lease is lost'));
      throw away();
    };
    await expect(retryWrite(write, lost.signal)).rejects.toThrow('the lease is lost');
  });
});
