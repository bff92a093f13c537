import { setTimeout as sleep } from 'node:timers/promises';
import {
  ANALYSIS_ENGINES,
  AUDIO_FORMATS,
  CALL_STATUSES,
  CORRECTED_FIELDS,
  DEPENDENCIES,
  REPORT_TYPES,
  SALE_STATUSES,
  STAGES,
} from '@call-analytics/contracts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Call, CallChange, CallStore } from '../index.ts';
import { analysis, type Fixture, HOUR, segment, transcript } from './call-store.fixture.ts';

export function accepting(fixture: () => Fixture): void {
  const upload = (accountId: string, fingerprint: string | null, key = 'key') =>
    fixture().calls.accept(
      {
        accountId,
        fileName: 'a.mp3',
        reportType: 'medium',
        audio: { key: 'audio', bytes: 1, format: 'mp3', seconds: 1 },
      },
      fingerprint === null ? null : { key, fingerprint },
    );

  describe('accepting a call', () => {
    it('writes it queued, ready, with its event', async () => {
      const { call, kind } = await upload('account_1', null);
      expect(kind).toBe('created');
      expect(call).toMatchObject({ status: 'queued', stage: 'transcription', attempt: 0, failures: 0, version: 1 });
      expect(await fixture().read(call.id)).toEqual(call);
      expect(await fixture().events(call.id)).toEqual(['call.uploaded']);
      expect(await fixture().ready('account_1')).toEqual([call.id]);
    });

    it('passes on the trace that the upload belongs to, with the call and its events', async () => {
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const audio = { key: 'audio', bytes: 1, format: 'mp3', seconds: 1 } as const;
      const { call } = await fixture().calls.accept({
        accountId: 'a',
        fileName: 'a.mp3',
        reportType: 'medium',
        audio,
        traceparent,
      });
      expect((await fixture().read(call.id)).traceparent).toBe(traceparent);
      expect((await fixture().store.outbox(10)).map(({ message }) => message.traceparent)).toEqual([traceparent]);
    });

    it('gives the first call to a request that is repeated with its idempotency key, as it now is', async () => {
      const first = await upload('account_1', 'same');
      await fixture().claim(first.call.id);
      fixture().clock.step(HOUR);
      const again = await upload('account_1', 'same');
      expect(again).toEqual({ kind: 'existing', sameRequest: true, call: await fixture().read(first.call.id) });
      expect((await fixture().store.list('account_1', { limit: 10, offset: 0 })).total).toBe(1);
      expect(await fixture().events(first.call.id)).toEqual(['call.uploaded']);
    });

    it('says when the key comes with another request', async () => {
      const first = await upload('account_1', 'one');
      expect(await upload('account_1', 'other')).toMatchObject({
        kind: 'existing',
        sameRequest: false,
        call: { id: first.call.id },
      });
    });

    it('keeps the keys of accounts apart, and calls without a key', async () => {
      const results = [await upload('a', 'same'), await upload('b', 'same'), await upload('a', 'same', 'other key')];
      results.push(await upload('a', null), await upload('a', null));
      expect(results.map(({ kind }) => kind)).toEqual(Array(5).fill('created'));
    });

    it('makes one call of two requests at once with the same key', async () => {
      const results = await Promise.all(Array.from({ length: 10 }, () => upload('account_1', 'same')));
      expect(results.filter(({ kind }) => kind === 'created')).toHaveLength(1);
      expect(new Set(results.map(({ call }) => call.id)).size).toBe(1);
      expect(await fixture().store.outbox(10)).toHaveLength(1);
    });
  });
}

const nullable = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const time = fc.integer({ min: 0, max: 4e12 }).map((ms) => new Date(ms));
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('', 'a\u0000b', '\ufeff', '𝄞', "Robert'); --"),
);
const seconds = fc.double({ min: 0, max: 1e6, noNaN: true });
const removal = nullable(
  fc.record({ at: time, until: time, stage: nullable(fc.constantFrom(...STAGES)), final: fc.boolean() }),
);
const changeable = {
  status: fc.constantFrom(...CALL_STATUSES),
  stage: nullable(fc.constantFrom(...STAGES)),
  attempt: fc.nat(),
  failures: fc.nat(),
  lease: nullable(fc.record({ worker: text, since: time, until: time })),
  grantedUntil: nullable(time),
  nextAttemptAt: nullable(time),
  readySince: time,
  waiting: nullable(fc.record({ for: fc.constantFrom(...DEPENDENCIES), since: time })),
  retries: fc.nat(),
  lastFailure: nullable(fc.record({ kind: text, code: text, message: text, at: time })),
  failure: nullable(fc.record({ code: text, message: text })),
  language: nullable(text),
  product: nullable(text),
  saleStatus: nullable(fc.constantFrom(...SALE_STATUSES)),
  score: nullable(fc.integer({ min: 0, max: 100 })),
  analysisEngine: nullable(fc.constantFrom(...ANALYSIS_ENGINES)),
  earlierAnalyses: fc.array(
    fc.record({
      at: text,
      reportType: fc.constantFrom(...REPORT_TYPES),
      engine: fc.record({ name: text, model: text }),
      product: nullable(text),
      saleStatus: fc.constantFrom(...SALE_STATUSES),
      score: nullable(fc.nat()),
    }),
    { maxLength: 2 },
  ),
  corrections: fc.array(
    fc.record({
      field: fc.constantFrom(...CORRECTED_FIELDS),
      value: fc.oneof(text, fc.array(text, { maxLength: 3 })),
      engine: text,
      by: text,
      at: text,
    }),
    { maxLength: 2 },
  ),
  updatedAt: time,
};
const anyCall: fc.Arbitrary<Call> = fc.record({
  ...changeable,
  id: fc.uuid(),
  accountId: text,
  fileName: text,
  reportType: fc.constantFrom(...REPORT_TYPES),
  version: fc.constant(1),
  audio: fc.record({
    key: text,
    bytes: fc.maxSafeNat(),
    format: fc.constantFrom(...AUDIO_FORMATS),
    seconds,
    deleteAfter: nullable(time),
    secondsDone: seconds,
    deletedAt: nullable(time),
  }),
  removal,
  traceparent: nullable(text),
  createdAt: time,
});
const anyChange: fc.Arbitrary<CallChange> = fc.record(
  {
    ...changeable,
    audio: fc.record({ seconds, deleteAfter: nullable(time), deletedAt: nullable(time) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
/** A write that changes the removal names the status too. */
const anyRemoval: fc.Arbitrary<CallChange> = fc.record({ removal, status: changeable.status });

export function keeping(fixture: () => Fixture): void {
  const write = (store: CallStore, call: Call, change: CallChange, events: ('call.completed' | 'call.failed')[] = []) =>
    store.update(call.id, call.version, { change, events, durable: false }, call);

  describe('keeping records', () => {
    it('gives back any call as it was put in', async () => {
      await fc.assert(
        fc.asyncProperty(anyCall, async (call) => {
          expect(await fixture().store.insert(call, [], null)).toEqual({ kind: 'created', call });
          expect(await fixture().store.get(call.id)).toEqual(call);
        }),
        { numRuns: 50 },
      );
    });

    it('changes what a write names, and nothing else', async () => {
      await fc.assert(
        fc.asyncProperty(anyCall, fc.oneof(anyChange, anyRemoval), fc.boolean(), async (made, change, isKnown) => {
          // What happens to a removed call is only that it is restored, or that its removal becomes final.
          const call = 'removal' in change ? made : { ...made, removal: null };
          await fixture().store.insert(call, [], null);
          const expected = { ...call, ...change, audio: { ...call.audio, ...change.audio }, version: 2 };
          const changes = { change, events: [], durable: false };
          expect(await fixture().store.update(call.id, 1, changes, ...(isKnown ? [call] : []))).toEqual(expected);
          expect(await fixture().store.get(call.id)).toEqual(expected);
        }),
        { numRuns: 50 },
      );
    });

    it('refuses a write that has seen an older version, whole: no change, no document, no event', async () => {
      const call = await fixture().accept();
      const first = await write(fixture().store, call, { product: 'first' });
      const late = { product: 'late', transcript, analysis };
      expect(await write(fixture().store, call, late, ['call.completed'])).toBeNull();
      expect(await fixture().store.get(call.id)).toEqual(first);
      expect(await fixture().store.transcript(call.id)).toBeNull();
      expect(await fixture().store.analysis(call.id)).toBeNull();
      expect(await fixture().events(call.id)).toEqual(['call.uploaded']);
    });

    it('of many writers that saw the same version, one wins', async () => {
      const call = await fixture().accept();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => write(fixture().store, call, { score: n }, ['call.failed'])),
      );
      const won = results.filter((result) => result !== null);
      expect(won).toHaveLength(1);
      expect(await fixture().store.get(call.id)).toEqual(won[0]);
      expect(await fixture().events(call.id)).toEqual(['call.uploaded', 'call.failed']);
    });

    it('keeps transcript and analysis as they were given, and the last one of each', async () => {
      const call = await fixture().accept();
      const next = await write(fixture().store, call, { transcript: { ...transcript, language: 'xx' }, analysis });
      await write(fixture().store, next ?? call, { transcript });
      expect(await fixture().store.transcript(call.id)).toEqual(transcript);
      expect(await fixture().store.analysis(call.id)).toEqual(analysis);
      expect(await fixture().store.transcript('call_unknown')).toBeNull();
      expect(await fixture().store.segments('call_unknown')).toEqual([]);
    });

    it('shows the detail to its account alone, with the transcript of a failed call without an analysis', async () => {
      const call = await fixture().accept('mine');
      expect(await fixture().store.detail('mine', call.id)).toEqual({ call, transcript: null, analysis: null });
      const transcribed = await write(fixture().store, call, { transcript });
      const polled = { call: transcribed, transcript: null, analysis: null };
      expect(await fixture().store.detail('mine', call.id)).toEqual(polled);
      const failed = await write(fixture().store, transcribed ?? call, { status: 'failed' });
      expect(await fixture().store.detail('mine', call.id)).toEqual({ call: failed, transcript, analysis: null });
      const analyzed = await write(fixture().store, failed ?? call, { analysis });
      expect(await fixture().store.detail('mine', call.id)).toEqual({ call: analyzed, transcript: null, analysis });
      expect(await fixture().store.detail('other', call.id)).toBeNull();
      expect(await fixture().store.detail('mine', 'call_unknown')).toBeNull();
    });
  });

  describe('the outbox', () => {
    it('gives events oldest first, each as a message about its call, and forgets those that are removed', async () => {
      const calls = [await fixture().accept('a'), await fixture().accept('b'), await fixture().accept('c')];
      const outbox = await fixture().store.outbox(10);
      expect(outbox.map(({ message }) => message.data)).toEqual(
        calls.map(({ id, accountId }) => ({ callId: id, accountId })),
      );
      for (const { id, message } of outbox)
        expect(message).toMatchObject({ id, type: 'call.uploaded', specversion: '1.0' });
      expect(new Set(outbox.map(({ id }) => id)).size).toBe(3);
      expect(await fixture().store.outbox(2)).toEqual(outbox.slice(0, 2));
      await fixture().store.removeFromOutbox([outbox[0]?.id ?? '', 'unknown']);
      await fixture().store.removeFromOutbox([]);
      expect(await fixture().store.outbox(10)).toEqual(outbox.slice(1));
    });

    it('keeps several events of one write in their order', async () => {
      const call = await fixture().accept();
      await write(fixture().store, call, {}, ['call.failed', 'call.completed']);
      expect(await fixture().events(call.id)).toEqual(['call.uploaded', 'call.failed', 'call.completed']);
    });

    it('knows the age of its oldest event', async () => {
      const now = new Date();
      expect((await fixture().store.figures(now)).oldestOutboxAgeMs).toBe(0);
      await fixture().accept();
      expect((await fixture().store.figures(new Date(now.getTime() + 3_600_000))).oldestOutboxAgeMs).toBeGreaterThan(
        3_500_000,
      );
    });
  });

  describe('hints', () => {
    it('come soon after a new call, a claim and an end, and not after a renewal or a segment; stopped ones do not come', async () => {
      let count = 0;
      const stop = fixture().store.watch(() => {
        count += 1;
      });
      // Nothing tells that no hint is on its way, except that none comes.
      const quiet = async () => {
        for (let before = -1; before !== count; await sleep(200)) before = count;
      };
      const hinted = async <T>(act: () => Promise<T>): Promise<T> => {
        await quiet();
        const before = count;
        const result = await act();
        const hints = () => count;
        await until(hints, (now) => now > before);
        return result;
      };
      const silent = async (act: () => Promise<unknown>) => {
        await quiet();
        const before = count;
        await act();
        await quiet();
        expect(count).toBe(before);
      };
      const call = await hinted(() => fixture().accept());
      const lease = await hinted(() => fixture().claim(call.id));
      await silent(() => fixture().calls.renew(lease));
      await silent(() => fixture().calls.saveSegment(lease, segment));
      await hinted(() => fixture().calls.commitTranscript(lease, transcript));
      stop();
      await silent(() => fixture().accept());
    });
  });
}
