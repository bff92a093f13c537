import { describe, expect, it } from '@jest/globals';
import { type Bench, HOUR, rejected, transcript, unavailable } from './call-store.fixture.ts';

export function queueing(bench: () => Bench): void {
  const placeOf = async (id: string) => bench().store.queuePlace(await bench().read(id));
  const accept = async (count: number, accountId = 'account_1') => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      ids.push((await bench().accept(accountId)).id);
      bench().clock.step(1_000);
    }
    return ids;
  };

  describe('the place in the queue', () => {
    it('counts the calls of the account that came earlier and wait for the same stage, granted ones too', async () => {
      await accept(3, 'account_2');
      const [granted = '', first = '', second = '', transcribed = ''] = await accept(4);
      expect(await placeOf(second)).toEqual({ ahead: 2, waiting: null });
      await bench().calls.grant(granted);
      expect(await placeOf(granted)).toEqual({ ahead: 0, waiting: null });
      expect(await placeOf(second)).toEqual({ ahead: 2, waiting: null });
      await bench().claim(granted);
      expect(await placeOf(second)).toEqual({ ahead: 1, waiting: null });
      await bench().calls.failAttempt(await bench().claim(first), rejected);
      expect(await placeOf(second)).toEqual({ ahead: 0, waiting: null });
      await bench().calls.commitTranscript(await bench().claim(transcribed), transcript);
      expect(await placeOf(transcribed)).toEqual({ ahead: 0, waiting: null });
    });

    it('says what another call of the account waits for in this stage, until it goes on', async () => {
      const [waiting = '', behind = ''] = await accept(2);
      const [elsewhere = ''] = await accept(1, 'account_2');
      const since = bench().clock.now();
      await bench().calls.failAttempt(await bench().claim(waiting), unavailable);
      expect(await placeOf(behind)).toEqual({ ahead: 0, waiting: { for: 'speech_engine', since } });
      expect(await placeOf(elsewhere)).toEqual({ ahead: 0, waiting: null });
      bench().clock.step(HOUR);
      await bench().calls.commitTranscript(await bench().claim(waiting), transcript);
      expect(await placeOf(behind)).toEqual({ ahead: 0, waiting: null });
      expect(await placeOf(waiting)).toEqual({ ahead: 0, waiting: null });
    });
  });
}
