import { describe, expect, it } from '@jest/globals';
import type { Bench } from './call-store.fixture.ts';

export function announcing(bench: () => Bench): void {
  const announce = (
    worker: string,
    calls: number,
    ms = 30_000,
    stage: 'transcription' | 'analysis' = 'transcription',
  ) => {
    const now = bench().clock.now();
    return bench().store.announceWorker(stage, worker, calls, now, new Date(now.getTime() + ms));
  };
  const capacity = () => bench().store.capacity(bench().clock.now());

  describe('what all workers together work on at a time', () => {
    it('is nothing while none has announced itself', async () => {
      expect(await capacity()).toEqual({ transcription: 0, analysis: 0 });
    });

    it('is the sum of what each announced last, for each stage', async () => {
      await announce('one', 2);
      await announce('two', 3);
      await announce('one', 4);
      await announce('one', 5, 30_000, 'analysis');
      expect(await capacity()).toEqual({ transcription: 7, analysis: 5 });
    });

    it('is without those that did not announce themselves again in time', async () => {
      await announce('one', 2, 10_000);
      await announce('two', 3, 30_000);
      bench().clock.step(10_000);
      expect((await capacity()).transcription).toBe(3);
      await announce('three', 1);
      expect((await capacity()).transcription).toBe(4);
    });

    it('is without those that stopped', async () => {
      await announce('one', 2);
      await announce('one', 0);
      expect((await capacity()).transcription).toBe(0);
    });
  });
}
