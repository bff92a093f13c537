import { describe, expect, it } from '@jest/globals';
import type { Bench } from './call-store.fixture.ts';

export function leading(bench: () => Bench): void {
  const lead = (holder: string, ms = 6_000, role = 'dispatcher') => {
    const now = bench().clock.now();
    return bench().store.lead(role, holder, now, new Date(now.getTime() + ms));
  };

  describe('a role that one process has at a time', () => {
    it('is had by the first who asks, and kept by asking again', async () => {
      expect(await lead('one')).not.toBeNull();
      expect(await lead('two')).toBeNull();
      bench().clock.step(5_000);
      expect(await lead('one')).not.toBeNull();
      bench().clock.step(5_000);
      expect(await lead('two')).toBeNull();
    });

    it('goes to another when its holder does not keep it, and the first one learns so', async () => {
      await lead('one');
      bench().clock.step(6_000);
      expect(await lead('two')).not.toBeNull();
      expect(await lead('one')).toBeNull();
    });

    it('is free at once when its holder gives it up; nobody else can give it up', async () => {
      await lead('one');
      await bench().store.resign('dispatcher', 'two');
      expect(await lead('two')).toBeNull();
      await bench().store.resign('dispatcher', 'one');
      expect(await lead('two')).not.toBeNull();
    });

    it('tells who takes it since when it was free', async () => {
      const begun = bench().clock.now();
      expect(await lead('one')).toEqual(begun);
      bench().clock.step(5_000);
      expect(await lead('one')).toEqual(bench().clock.now());
      bench().clock.step(60_000);
      expect(await lead('two')).toEqual(new Date(begun.getTime() + 11_000));
    });

    it('has nothing to do with another role', async () => {
      await lead('one');
      expect(await lead('two', 6_000, 'other')).not.toBeNull();
    });

    it('is had by one of many who ask at once', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => lead(`process ${n}`)));
      expect(answers.filter(Boolean)).toHaveLength(1);
    });
  });
}
