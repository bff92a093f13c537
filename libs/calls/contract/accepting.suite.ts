import { describe, expect, it } from '@jest/globals';
import { type Bench, HOUR } from './call-store.fixture.ts';

export function accepting(bench: () => Bench): void {
  const upload = (accountId: string, fingerprint: string | null, key = 'key') =>
    bench().calls.accept(
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
      expect(await bench().read(call.id)).toEqual(call);
      expect(await bench().events(call.id)).toEqual(['call.uploaded']);
      expect(await bench().ready('account_1')).toEqual([call.id]);
    });

    it('passes on the trace that the upload belongs to, with the call and its events', async () => {
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const audio = { key: 'audio', bytes: 1, format: 'mp3', seconds: 1 } as const;
      const { call } = await bench().calls.accept({
        accountId: 'a',
        fileName: 'a.mp3',
        reportType: 'medium',
        audio,
        traceparent,
      });
      expect((await bench().read(call.id)).traceparent).toBe(traceparent);
      expect((await bench().store.outbox(10)).map(({ message }) => message.traceparent)).toEqual([traceparent]);
    });

    it('gives the first call to a request that is repeated with its idempotency key, as it now is', async () => {
      const first = await upload('account_1', 'same');
      await bench().claim(first.call.id);
      bench().clock.step(HOUR);
      const again = await upload('account_1', 'same');
      expect(again).toEqual({ kind: 'existing', sameRequest: true, call: await bench().read(first.call.id) });
      expect((await bench().store.list('account_1', { limit: 10, offset: 0 })).total).toBe(1);
      expect(await bench().events(first.call.id)).toEqual(['call.uploaded']);
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
      expect(await bench().store.outbox(10)).toHaveLength(1);
    });
  });
}
