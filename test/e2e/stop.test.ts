import { join } from 'node:path';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../until.fixture.ts';
import type { Client } from './client.fixture.ts';
import { Installation } from './installation.fixture.ts';

describe('stopping the service', () => {
  let installation: Installation;
  let client: Client;

  beforeEach(async () => {
    installation = await Installation.withStandIn();
    client = await installation.client();
  });

  afterEach(() => installation.remove());

  it('on SIGTERM, in the middle of a call whose engine hangs, ends cleanly and gives the call back: the next start goes on at once, nothing counted', async () => {
    installation.standIn.faults.push({ endpoint: 'transcriptions', nth: 3, do: { kind: 'hang' } });
    // A lease that was not given back would hold the call for longer than the test waits.
    await installation.start({ settings: { LEASE_DURATION: '10m' } });
    const id = await client.uploaded(join(FILES, 'bundled-call.mp3'));
    await until(() => installation.standIn.requests.length >= 3, 'the engine is asked');
    expect((await client.call(id)).status).toBe('transcribing');
    expect(await installation.kill('SIGTERM')).toBe(0);
    installation.standIn.faults.length = 0;
    await installation.start();
    expect((await client.finished(id)).status).toBe('completed');
    expect(installation.log.filter((entry) => entry.msg === 'this attempt failed')).toEqual([]);
  });

  it('refuses new connections while it stops, and a second start finds every call that was accepted', async () => {
    await installation.start();
    const ids = await Promise.all(Array.from({ length: 12 }, () => client.uploaded(join(FILES, 'excerpt.mp3'))));
    expect(await installation.kill('SIGTERM')).toBe(0);
    await expect(client.calls()).rejects.toThrow();
    await installation.start();
    for (const id of ids) expect((await client.finished(id)).status).toBe('completed');
    expect((await client.calls()).total).toBe(12);
  });

  it('after a bug ends in the same orderly way, with 1: it says so, gives the call back, and the next start goes on', async () => {
    installation.standIn.faults.push({ endpoint: 'transcriptions', nth: 3, do: { kind: 'hang' } });
    const bug = "process.once('SIGUSR2', () => { throw new Error('a bug') })";
    await installation.start({
      settings: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bug)}` },
    });
    const id = await client.uploaded(join(FILES, 'bundled-call.mp3'));
    await until(() => installation.standIn.requests.length >= 3, 'the engine is asked');
    expect(await installation.kill('SIGUSR2')).toBe(1);
    expect(installation.log).toContainEqual(
      expect.objectContaining({ level: 'fatal', err: expect.objectContaining({ message: 'a bug' }) }),
    );
    expect(installation.log).toContainEqual(
      expect.objectContaining({ callId: id, outcome: 'retry', reason: 'the service stops' }),
    );
    installation.standIn.faults.length = 0;
    await installation.start();
    expect((await client.finished(id)).status).toBe('completed');
  });

  it('ends with 1 when it does not stop within SHUTDOWN_DEADLINE', async () => {
    installation.standIn.faults.push({ endpoint: 'transcriptions', nth: 1, do: { kind: 'hang' } });
    await installation.start({ settings: { SHUTDOWN_DEADLINE: '1s' } });
    await client.uploaded(join(FILES, 'bundled-call.mp3'));
    await until(() => installation.standIn.requests.length >= 1, 'the engine is asked');
    expect(await installation.kill('SIGTERM')).toBe(1);
  });
});
