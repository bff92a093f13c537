import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UploadQueue } from './queue.ts';
import type { Sent, Upload } from './send.ts';

const MEDIUM = { reportType: 'medium', language: '' } as const;
const LOST: Sent = { kind: 'refused', refusal: { why: 'lost' }, retryAfterMs: null };
const BUSY: Sent = {
  kind: 'refused',
  refusal: { why: 'answered', status: 503, detail: 'Later.' },
  retryAfterMs: 5_000,
};
const WRONG: Sent = {
  kind: 'refused',
  refusal: { why: 'answered', status: 415, detail: 'A picture.' },
  retryAfterMs: null,
};

/**
 * Everything that the queue sends, to be answered by hand: what the browser's XMLHttpRequest does is tried in the
 * browser.
 */
class Transport {
  readonly sent: {
    upload: Upload;
    progress(bytes: number): void;
    signal: AbortSignal;
    answer(sent: Sent): Promise<void>;
  }[] = [];
  readonly send = (upload: Upload, progress: (bytes: number) => void, signal: AbortSignal) =>
    new Promise<Sent>((resolve) => {
      const answer = async (sent: Sent) => {
        resolve(sent);
        await settled();
      };
      this.sent.push({ upload, progress, signal, answer });
    });

  at(index: number) {
    const found = this.sent[index];
    if (found === undefined) throw new Error(`only ${this.sent.length} were sent`);
    return found;
  }

  get names() {
    return this.sent.map(({ upload }) => upload.file.name);
  }
}

const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
};
const file = (name: string, bytes = 10) => new File([new Uint8Array(bytes)], name);

describe('the queue of uploads', () => {
  let transport: Transport;
  let queue: UploadQueue;
  let signedOut: number;
  beforeEach(() => {
    jest.useFakeTimers();
    transport = new Transport();
    signedOut = 0;
    queue = new UploadQueue(transport.send, () => (signedOut += 1));
    queue.signedIn('acc_1');
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const states = () => queue.uploads().map(({ state }) => state.kind);
  const accept = (index: number) => transport.at(index).answer({ kind: 'accepted', callId: `call_${index}` });

  it('sends two at a time, in the order they were dropped', async () => {
    queue.add([file('a'), file('b'), file('c')], MEDIUM, null);
    expect(states()).toEqual(['sending', 'sending', 'waiting']);
    await accept(1);
    expect(states()).toEqual(['sending', 'accepted', 'sending']);
    expect(transport.names).toEqual(['a', 'b', 'c']);
  });

  it('tells how much has been sent, and when it waits for the answer', () => {
    queue.add([file('a')], MEDIUM, null);
    transport.at(0).progress(4);
    expect(queue.uploads()[0]?.state).toMatchObject({ kind: 'sending', sent: 4 });
    transport.at(0).progress(10);
    expect(states()).toEqual(['checking']);
  });

  it('sends nothing that is empty or too large', () => {
    queue.add([file('empty', 0), file('large', 11), file('fits', 10)], MEDIUM, 10);
    expect(transport.names).toEqual(['fits']);
    expect(queue.uploads().map(({ state }) => (state.kind === 'failed' ? state.refusal : null))).toEqual([
      { why: 'empty' },
      { why: 'too-large', maxBytes: 10 },
      null,
    ]);
  });

  it.each([
    ['the connection was lost', LOST, 2_000],
    ['the service had no time, for as long as it says', BUSY, 5_000],
  ])('sends again by itself when %s, with the same key', async (_what, answer, afterMs) => {
    queue.add([file('a')], MEDIUM, null);
    await transport.at(0).answer(answer);
    expect(states()).toEqual(['pausing']);
    jest.advanceTimersByTime(afterMs - 1);
    expect(transport.sent).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(states()).toEqual(['sending']);
    expect(transport.at(1).upload.id).toBe(transport.at(0).upload.id);
  });

  it('gives up after some tries, and goes on when asked', async () => {
    queue.add([file('a')], MEDIUM, null);
    for (let tries = 0; tries < 7; tries += 1) {
      await transport.at(tries).answer(LOST);
      jest.advanceTimersByTime(60_000);
    }
    expect(states()).toEqual(['failed']);
    expect(queue.unfinished()).toBe(true);
    queue.retry(queue.uploads()[0]?.id ?? '');
    expect(states()).toEqual(['sending']);
  });

  it('goes on at once when the network is back', async () => {
    queue.add([file('a')], MEDIUM, null);
    await transport.at(0).answer(LOST);
    queue.retryPausing();
    expect(transport.sent).toHaveLength(2);
  });

  it('does not send again what was refused for good', async () => {
    queue.add([file('a')], MEDIUM, null);
    await transport.at(0).answer(WRONG);
    jest.advanceTimersByTime(600_000);
    expect([states(), transport.sent.length, queue.unfinished()]).toEqual([['failed'], 1, false]);
  });

  it('stops what is taken away, and lets the next one go', () => {
    queue.add([file('a'), file('b'), file('c')], MEDIUM, null);
    queue.remove(transport.at(0).upload.id);
    expect(transport.at(0).signal.aborted).toBe(true);
    expect(transport.names).toEqual(['a', 'b', 'c']);
    transport.at(0).progress(10);
    expect(states()).toEqual(['sending', 'sending']);
  });

  it('keeps the files when the session is over, and goes on when the same account is back', async () => {
    queue.add([file('a'), file('b'), file('c')], { reportType: 'detailed', language: 'de' }, null);
    await transport.at(0).answer({ kind: 'signed-out' });
    await transport.at(1).answer({ kind: 'signed-out' });
    expect([states(), signedOut]).toEqual([['waiting', 'waiting', 'waiting'], 2]);
    queue.signedIn(null);
    expect(states()).toEqual(['waiting', 'waiting', 'waiting']);
    expect(queue.unfinished()).toBe(true);
    queue.signedIn('acc_1');
    expect(states()).toEqual(['sending', 'sending', 'waiting']);
    expect(transport.at(2).upload).toMatchObject({
      id: transport.at(0).upload.id,
      reportType: 'detailed',
      language: 'de',
    });
  });

  it('sends nothing to another account: its files are gone when somebody else signs in', async () => {
    queue.add([file('a'), file('b'), file('c')], MEDIUM, null);
    await transport.at(0).answer({ kind: 'signed-out' });
    queue.signedIn('acc_2');
    expect(queue.uploads()).toEqual([]);
    expect(transport.at(1).signal.aborted).toBe(true);
    expect(transport.sent).toHaveLength(2);
  });

  it('clears what is done, and keeps what can still go through', async () => {
    queue.add([file('a'), file('b'), file('c'), file('d', 0)], MEDIUM, null);
    await accept(0);
    await transport.at(1).answer(LOST);
    queue.clearFinished();
    expect(queue.uploads().map(({ file: { name } }) => name)).toEqual(['b', 'c']);
  });

  it('tells its listeners of every change, with a new list each time', () => {
    let told = 0;
    const before = queue.uploads();
    const stop = queue.subscribe(() => (told += 1));
    queue.add([file('a')], MEDIUM, null);
    expect(told).toBeGreaterThan(0);
    expect(queue.uploads()).not.toBe(before);
    stop();
    const sofar = told;
    queue.remove(queue.uploads()[0]?.id ?? '');
    expect(told).toBe(sofar);
  });
});
