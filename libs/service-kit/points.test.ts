import { afterEach, describe, expect, it } from '@jest/globals';
import { point, watchPoints } from './points.ts';

describe('a named point', () => {
  let unwatch = () => {};
  afterEach(() => unwatch());

  it('does nothing when nobody watches', () => {
    expect(point('stage.claimed', 'call_1')).toBeUndefined();
  });

  it('tells the watcher its name and what it is about', () => {
    const seen: [string, string][] = [];
    unwatch = watchPoints((name, about) => {
      seen.push([name, about]);
    });
    point('stage.claimed', 'call_1');
    point('audio.deleted', 'call_2');
    expect(seen).toEqual([
      ['stage.claimed', 'call_1'],
      ['audio.deleted', 'call_2'],
    ]);
  });

  it('is held open until the watcher lets it go', async () => {
    const gate = Promise.withResolvers<void>();
    unwatch = watchPoints(() => gate.promise);
    let passed = false;
    const passing = (async () => {
      await point('call.written', 'call_1');
      passed = true;
    })();
    await new Promise(setImmediate);
    expect(passed).toBe(false);
    gate.resolve();
    await passing;
    expect(passed).toBe(true);
  });

  it('fails what comes to it when the watcher says so', async () => {
    unwatch = watchPoints(() => Promise.reject(new Error('died here')));
    await expect((async () => point('call.written', 'call_1'))()).rejects.toThrow('died here');
  });

  it('has one watcher: the last; one that was replaced stops nobody else', () => {
    const seen: string[] = [];
    const unwatchFirst = watchPoints(() => void seen.push('first'));
    unwatch = watchPoints(() => void seen.push('second'));
    unwatchFirst();
    point('call.written', 'call_1');
    expect(seen).toEqual(['second']);
  });
});
