import { CallSearch } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { type Call, DEFAULT_POLICY, type HeldLease } from '../index.ts';
import {
  analysis,
  bug,
  type Fixture,
  HOUR,
  outOfQuota,
  rateLimited,
  rejected,
  segment,
  transcript,
  transient,
  unavailable,
} from './call-store.fixture.ts';

type Bring = (fixture: Fixture) => Promise<Call>;
type Attempt = (fixture: Fixture, call: Call) => Promise<boolean>;

const lease = ({ id, stage, attempt }: Call): HeldLease => ({ callId: id, stage: stage ?? 'transcription', attempt });
const toAnalysis: Bring = async (fixture) => {
  const { id } = await fixture.accept();
  await fixture.calls.commitTranscript(await fixture.claim(id), transcript);
  return fixture.read(id);
};
const completed: Bring = async (fixture) => {
  const { id } = await toAnalysis(fixture);
  await fixture.calls.commitAnalysis(await fixture.claim(id, 'analysis'), analysis);
  return fixture.read(id);
};
const then =
  (bring: Bring, act: (fixture: Fixture, call: Call) => Promise<unknown>): Bring =>
  async (fixture) => {
    const { id } = await bring(fixture);
    await act(fixture, await fixture.read(id));
    return fixture.read(id);
  };
const accepted: Bring = (fixture) => fixture.accept();
const claimed = (bring: Bring) => then(bring, (fixture, { id, stage }) => fixture.claim(id, stage ?? 'transcription'));
const failAttempt = (bring: Bring) =>
  then(claimed(bring), (fixture, call) => fixture.calls.failAttempt(lease(call), transient));
const failed = (bring: Bring) =>
  then(claimed(bring), (fixture, call) => fixture.calls.failAttempt(lease(call), rejected));
const gone = (bring: Bring) => then(bring, ({ calls }, { id }) => calls.audioDeleted(id));
const removed = (bring: Bring) => then(bring, ({ calls }, { accountId, id }) => calls.remove(accountId, id));
const granted = (bring: Bring) => then(bring, (fixture, { id }) => fixture.calls.grant(id));

const correct = async (calls: Fixture['calls'], { id, accountId }: Call) => {
  const corrected = await calls.corrections.setSpeakers(accountId, id, [{ speaker: 0, role: 'customer' }]);
  return corrected !== null && 'call' in corrected;
};

const STATES: Record<string, Bring> = {
  queued: accepted,
  'granted for transcription': granted(accepted),
  'being transcribed': claimed(accepted),
  'set back in transcription': failAttempt(accepted),
  'released in transcription': then(claimed(accepted), (fixture, call) => fixture.calls.release(lease(call))),
  'granted and not claimed in time': then(granted(accepted), async ({ clock }) => clock.step(DEFAULT_POLICY.grantMs)),
  'set back, and its time has come': then(failAttempt(accepted), async ({ clock }) => clock.step(HOUR)),
  'queued for analysis': toAnalysis,
  'granted for analysis': granted(toAnalysis),
  'being analyzed': claimed(toAnalysis),
  'set back in analysis': failAttempt(toAnalysis),
  completed,
  failed: failed(accepted),
  'failed in analysis with its audio gone': gone(failed(toAnalysis)),
  'failed with its audio gone': gone(failed(accepted)),
  'removed when it had failed': removed(failed(accepted)),
  'waiting for the engine': then(claimed(accepted), (fixture, call) =>
    fixture.calls.failAttempt(lease(call), unavailable),
  ),
  'retried in analysis': then(failed(toAnalysis), ({ calls }, { accountId, id }) => calls.retry(accountId, id)),
  'completed with its audio gone': then(completed, (fixture, { id }) => fixture.calls.audioDeleted(id)),
  'corrected with its audio gone': then(gone(completed), ({ calls }, call) => correct(calls, call)),
  'removed from the queue': removed(accepted),
  'removed while it was granted': removed(granted(accepted)),
  'removed while it was transcribed': removed(claimed(accepted)),
  'removed while it was delayed': removed(failAttempt(toAnalysis)),
  'removed when it was completed': removed(completed),
  'removed for good': then(removed(accepted), async ({ calls, clock }, { id }) => {
    clock.step(DEFAULT_POLICY.removalGraceMs);
    await calls.finishRemoval(id);
  }),
};

const TRANSITIONS: Record<string, Attempt> = {
  grant: async ({ calls }, { id }) => (await calls.grant(id)) !== null,
  'claim for transcription': async ({ calls }, { id }) => 'lease' in (await calls.claim(id, 'transcription', 'w')),
  'claim for analysis': async ({ calls }, { id }) => 'lease' in (await calls.claim(id, 'analysis', 'w')),
  renew: ({ calls }, call) => calls.renew(lease(call)),
  measure: ({ calls }, call) => calls.measured(lease(call), 99),
  'save a segment': ({ calls }, call) => calls.saveSegment(lease(call), segment),
  'commit a transcript': ({ calls }, call) => calls.commitTranscript(lease(call), transcript),
  'commit an analysis': ({ calls }, call) => calls.commitAnalysis(lease(call), analysis),
  'set back': async ({ calls }, call) => (await calls.failAttempt(lease(call), transient)) !== null,
  release: ({ calls }, call) => calls.release(lease(call)),
  'end its wait': async ({ calls }) => (await calls.endWaits()) > 0,
  'take back': async ({ calls }) => (await calls.reclaimExpired()) > 0,
  'say that the audio is gone': ({ calls }, { id }) => calls.audioDeleted(id),
  // Both say yes also when there is nothing to do.
  remove: async ({ calls }, { id, accountId, removal }) => removal === null && calls.remove(accountId, id),
  retry: async ({ calls }, { id, accountId }) => {
    const retried = await calls.retry(accountId, id);
    return retried !== null && 'call' in retried;
  },
  'correct the speakers': async ({ calls }, call) => correct(calls, call),
  restore: async ({ calls }, { id, accountId, removal }) => removal !== null && calls.restore(accountId, id),
};

const WHILE_HELD = ['renew', 'measure', 'save a segment', 'set back', 'release'];
const LEGAL: Record<string, string[]> = {
  queued: ['grant', 'claim for transcription', 'remove'],
  'granted for transcription': ['claim for transcription', 'remove'],
  'being transcribed': [...WHILE_HELD, 'commit a transcript', 'remove'],
  'set back in transcription': ['remove'],
  'released in transcription': ['grant', 'claim for transcription', 'remove'],
  'granted and not claimed in time': ['grant', 'claim for transcription', 'end its wait', 'remove'],
  'set back, and its time has come': ['grant', 'claim for transcription', 'end its wait', 'remove'],
  'queued for analysis': ['grant', 'claim for analysis', 'remove'],
  'granted for analysis': ['claim for analysis', 'remove'],
  'being analyzed': [...WHILE_HELD, 'commit an analysis', 'remove'],
  'set back in analysis': ['remove'],
  completed: ['say that the audio is gone', 'remove', 'correct the speakers'],
  'corrected with its audio gone': ['grant', 'claim for analysis', 'remove'],
  failed: ['say that the audio is gone', 'remove', 'retry'],
  'failed in analysis with its audio gone': ['remove', 'retry'],
  'failed with its audio gone': ['remove'],
  'removed when it had failed': ['restore', 'say that the audio is gone'],
  'waiting for the engine': ['remove'],
  'retried in analysis': ['grant', 'claim for analysis', 'remove'],
  'completed with its audio gone': ['remove', 'correct the speakers'],
  'removed from the queue': ['restore'],
  'removed while it was granted': ['restore'],
  'removed while it was transcribed': ['restore'],
  'removed while it was delayed': ['restore'],
  'removed when it was completed': ['restore', 'say that the audio is gone'],
  'removed for good': [],
};

export function lifecycle(fixture: () => Fixture): void {
  describe('a call and what may happen to it', () => {
    for (const [state, bring] of Object.entries(STATES)) {
      for (const [transition, attempt] of Object.entries(TRANSITIONS)) {
        const legal = LEGAL[state]?.includes(transition) ?? false;
        it(`${state}: ${legal ? 'may' : 'may not'} ${transition}`, async () => {
          const call = await bring(fixture());
          const before = {
            call,
            events: await fixture().store.outbox(100),
            segments: await fixture().store.segments(call.id),
          };
          expect(await attempt(fixture(), call)).toBe(legal);
          const after = {
            call: await fixture().read(call.id),
            events: await fixture().store.outbox(100),
            segments: await fixture().store.segments(call.id),
          };
          if (legal) expect(after).not.toEqual(before);
          else expect(after).toEqual(before);
        });
      }
    }

    it('an unknown call is refused everything and never made', async () => {
      const nobody = { ...(await fixture().accept()), id: 'call_unknown' };
      for (const attempt of Object.values(TRANSITIONS)) expect(await attempt(fixture(), nobody)).toBe(false);
      expect(await fixture().store.get('call_unknown')).toBeNull();
    });

    it('goes from upload to completed with an event for each step that others wait for', async () => {
      const call = await completed(fixture());
      expect(call).toMatchObject({
        status: 'completed',
        stage: null,
        lease: null,
        failures: 0,
        attempt: 2,
        language: 'de-AT',
      });
      expect(call).toMatchObject({ product: 'Dachziegel', saleStatus: 'follow_up', score: 0 });
      expect(call.audio).toMatchObject({ seconds: 61.5, deleteAfter: fixture().clock.now(), deletedAt: null });
      expect(await fixture().events(call.id)).toEqual(['call.uploaded', 'call.transcribed', 'call.completed']);
      expect(await fixture().store.transcript(call.id)).toEqual(transcript);
      expect(await fixture().store.analysis(call.id)).toEqual(analysis);
    });
  });

  describe('a retry', () => {
    const retry = async ({ id, accountId }: Call) => fixture().calls.retry(accountId, id);
    const failedIn = async (stage: 'transcription' | 'analysis') => {
      const { id } = await (stage === 'transcription' ? accepted : toAnalysis)(fixture());
      const held = await fixture().claim(id, stage);
      if (stage === 'transcription') await fixture().calls.saveSegment(held, segment);
      await fixture().calls.failAttempt(held, rejected);
      return fixture().read(id);
    };

    it('goes on with the transcription from the segments that are kept, and ends as any call', async () => {
      const call = await failedIn('transcription');
      const retried = await retry(call);
      expect(retried).toMatchObject({
        call: { status: 'queued', stage: 'transcription', failure: null, failures: 0, retries: 1 },
      });
      const events = ['call.uploaded', 'call.failed', 'call.retried'];
      expect(await fixture().events(call.id)).toEqual(events);
      expect(await fixture().store.segments(call.id)).toEqual([segment]);
      expect(await fixture().ready('account_1')).toEqual([call.id]);
      await fixture().calls.commitTranscript(await fixture().claim(call.id), transcript);
      await fixture().calls.commitAnalysis(await fixture().claim(call.id, 'analysis'), analysis);
      expect(await fixture().read(call.id)).toMatchObject({ status: 'completed', retries: 1 });
    });

    it('goes on with the analysis when the transcript is kept', async () => {
      const call = await failedIn('analysis');
      expect(await retry(call)).toMatchObject({ call: { status: 'queued', stage: 'analysis' } });
      await fixture().calls.commitAnalysis(await fixture().claim(call.id, 'analysis'), analysis);
      expect(await fixture().read(call.id)).toMatchObject({ status: 'completed' });
    });

    it('keeps the recording for as long as it works, and says once more when it may go when it fails again', async () => {
      const call = await failedIn('transcription');
      await retry(call);
      fixture().clock.step(2 * DEFAULT_POLICY.failedAudioRetentionMs);
      expect(await fixture().store.audioDue(fixture().clock.now(), 10)).toEqual([]);
      await fixture().calls.failAttempt(await fixture().claim(call.id), rejected);
      const deleteAfter = new Date(fixture().clock.now().getTime() + DEFAULT_POLICY.failedAudioRetentionMs);
      expect((await fixture().read(call.id)).audio).toMatchObject({ deleteAfter, deletedAt: null });
    });

    it('is refused when the recording is due, so that none begins while it is being deleted', async () => {
      const call = await failedIn('transcription');
      fixture().clock.step(DEFAULT_POLICY.failedAudioRetentionMs);
      expect(await fixture().store.audioDue(fixture().clock.now(), 10)).toHaveLength(1);
      expect(await retry(call)).toEqual({ refused: 'nothing kept' });
    });

    it('of two at once begins once', async () => {
      const call = await failedIn('transcription');
      const both = await Promise.all([retry(call), retry(call)]);
      expect(both.filter((each) => each !== null && 'call' in each)).toHaveLength(1);
      expect(await fixture().read(call.id)).toMatchObject({ retries: 1 });
    });

    it("of another account's call finds none", async () => {
      const call = await failedIn('transcription');
      expect(await fixture().calls.retry('account_2', call.id)).toBeNull();
      expect(await fixture().read(call.id)).toEqual(call);
    });
  });

  describe('a try that does not succeed', () => {
    const failTimes = async (times: number, failure = transient) => {
      const { id } = await fixture().accept();
      for (let n = 0; n < times; n += 1) {
        await fixture().calls.failAttempt(await fixture().claim(id), failure);
        fixture().clock.step(HOUR);
      }
      return fixture().read(id);
    };

    it('is counted and waits for its time', async () => {
      const { id } = await fixture().accept();
      await fixture().calls.failAttempt(await fixture().claim(id), transient);
      const call = await fixture().read(id);
      expect(call).toMatchObject({
        status: 'transcribing',
        stage: 'transcription',
        failures: 1,
        lease: null,
        failure: null,
      });
      expect(call.lastFailure).toMatchObject({ kind: 'transient', code: 'engine_down', at: fixture().clock.now() });
      expect(await fixture().ready('account_1')).toEqual([]);
      expect(await fixture().store.nextWake(fixture().clock.now())).toEqual(call.nextAttemptAt);
      fixture().clock.step((call.nextAttemptAt?.getTime() ?? 0) - fixture().clock.now().getTime());
      expect(await fixture().ready('account_1')).toEqual([id]);
    });

    it.each([transient, bug])(
      'fails the call with its reason when it was the last that counts ($kind)',
      async (failure) => {
        expect(await failTimes(DEFAULT_POLICY.maxFailures - 1, failure)).toMatchObject({
          status: 'transcribing',
          failures: 4,
        });
        const call = await failTimes(DEFAULT_POLICY.maxFailures, failure);
        expect(call).toMatchObject({
          status: 'failed',
          stage: null,
          failure: { code: failure.code, message: failure.message },
        });
        expect(call.audio.deleteAfter?.getTime()).toBe(
          fixture().clock.now().getTime() - HOUR + DEFAULT_POLICY.failedAudioRetentionMs,
        );
        expect(await fixture().events(call.id)).toEqual(['call.uploaded', 'call.failed']);
      },
    );

    it('fails the call at once when the file was rejected', async () => {
      expect(await failTimes(1, rejected)).toMatchObject({ status: 'failed', failure: { code: 'unreadable' } });
    });

    it('is not counted when the engine said when to come back, or wants money first', async () => {
      const { id } = await fixture().accept();
      for (let n = 0; n < DEFAULT_POLICY.maxFailures + 1; n += 1) {
        const until = new Date(fixture().clock.now().getTime() + 7_000);
        const limited = await fixture().calls.failAttempt(await fixture().claim(id), rateLimited(until));
        expect(limited).toMatchObject({ failures: 0, nextAttemptAt: until });
        fixture().clock.step(7_000);
        expect(await fixture().calls.failAttempt(await fixture().claim(id), outOfQuota)).toMatchObject({
          failures: 0,
          stage: 'transcription',
        });
        fixture().clock.step(HOUR);
      }
    });

    it('is not counted when the worker only stopped, and the call keeps its place', async () => {
      const first = await fixture().accept();
      fixture().clock.step(1_000);
      const second = await fixture().accept();
      await fixture().calls.release(await fixture().claim(first.id));
      expect(await fixture().read(first.id)).toMatchObject({ failures: 0, attempt: 1, lastFailure: null });
      expect(await fixture().ready('account_1')).toEqual([first.id, second.id]);
    });

    it('is not counted while a dependency is away, and the call says what it waits for, and since when', async () => {
      const { id } = await fixture().accept();
      const since = fixture().clock.now();
      for (let n = 0; n < DEFAULT_POLICY.maxFailures + 1; n += 1) {
        await fixture().calls.failAttempt(await fixture().claim(id), unavailable);
        fixture().clock.step(HOUR);
      }
      expect(await fixture().read(id)).toMatchObject({ failures: 0, waiting: { for: 'speech_engine', since } });
      expect((await fixture().store.figures(fixture().clock.now())).waiting).toMatchObject({
        speech_engine: 1,
        analysis_engine: 0,
      });
      expect((await fixture().store.search('account_1', CallSearch.parse({}))).calls).toMatchObject([
        { id, waiting: { for: 'speech_engine', since } },
      ]);
      const held = await fixture().claim(id);
      expect(await fixture().calls.clearWaiting(held)).toBe(true);
      expect(await fixture().read(id)).toMatchObject({ waiting: null });
      expect((await fixture().store.figures(fixture().clock.now())).waiting).toMatchObject({ speech_engine: 0 });
    });

    it('starts counting anew with the next stage', async () => {
      const { id } = await fixture().accept();
      await fixture().calls.failAttempt(await fixture().claim(id), transient);
      fixture().clock.step(HOUR);
      await fixture().calls.commitTranscript(await fixture().claim(id), transcript);
      expect(await fixture().read(id)).toMatchObject({
        stage: 'analysis',
        failures: 0,
        lastFailure: null,
        readySince: fixture().clock.now(),
      });
    });
  });
}
