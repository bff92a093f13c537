import { describe, expect, it } from '@jest/globals';
import { type Fixture, HOUR, transcript } from './call-store.fixture.ts';

export function draining(fixture: () => Fixture): void {
  const drained = async () => [...(await fixture().store.drainedStages())];
  const drain = () => fixture().store.setDrained('transcription', fixture().clock.now());

  describe('a drained stage', () => {
    it('is known with its time until it is resumed', async () => {
      expect(await drained()).toEqual([]);
      const since = fixture().clock.now();
      await drain();
      expect(await drained()).toEqual([['transcription', since]]);
      fixture().clock.step(1_000);
      await fixture().store.setDrained('analysis', fixture().clock.now());
      expect(new Map(await drained())).toEqual(
        new Map([
          ['transcription', since],
          ['analysis', fixture().clock.now()],
        ]),
      );
      await fixture().store.setDrained('analysis', null);
      expect(await drained()).toEqual([['transcription', since]]);
      await fixture().store.setDrained('transcription', null);
      await fixture().store.setDrained('transcription', null);
      expect(await drained()).toEqual([]);
    });

    it('begins no call, also no granted one, which waits uncounted; what is in work is finished', async () => {
      const [running, granted] = [await fixture().accept(), await fixture().accept()];
      const lease = await fixture().claim(running.id);
      await fixture().calls.grant(granted.id);
      await drain();
      expect(await fixture().calls.claim(granted.id, 'transcription', 'worker')).toEqual({
        refused: 'the stage is drained',
      });
      const waits = { status: 'queued', attempt: 0, failures: 0, waiting: null, lease: null, grantedUntil: null };
      expect(await fixture().read(granted.id)).toMatchObject(waits);
      expect(await fixture().calls.renew(lease)).toBe(true);
      expect(await fixture().calls.commitTranscript(lease, transcript)).toBe(true);
      // The other stage begins calls.
      await fixture().claim(running.id, 'analysis');
      await fixture().store.setDrained('transcription', null);
      fixture().clock.step(HOUR);
      await fixture().claim(granted.id);
      expect(await fixture().read(granted.id)).toMatchObject({ status: 'transcribing', attempt: 1, failures: 0 });
    });
  });
}
