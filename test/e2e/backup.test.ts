import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ranAlone } from '../terminal.fixture.ts';
import { until } from '../until.fixture.ts';
import type { Client } from './client.fixture.ts';
import { Installation } from './installation.fixture.ts';

const CALL = join(FILES, 'excerpt.mp3');
const OPS = fileURLToPath(new URL('../../services/ops/src/main.ts', import.meta.url));

describe('an installation that is destroyed and restored from its backup', () => {
  let folder: string;
  let installation: Installation;
  let client: Client;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-'));
    installation = await Installation.withStandIn({
      LEASE_DURATION: '1s',
      GRANT_DURATION: '1s',
    });
    client = await installation.client();
  });
  afterEach(async () => {
    await installation.remove();
    await rm(folder, { recursive: true });
  });

  const ops = async (command: string) => {
    const ran = await ranAlone(OPS, [command, join(folder, 'copy')], { DATA_DIR: installation.dataDir });
    expect(ran).toMatchObject({ code: 0, err: '' });
  };
  const destroy = async () => {
    await installation.kill();
    await rm(installation.dataDir, { recursive: true });
  };
  /** How often each piece of a recording was paid for. */
  const paid = () => {
    const counts = new Map<string, number>();
    for (const { hash, answered } of installation.standIn.requests)
      if (answered === 200) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    return [...counts.values()];
  };

  it('has every call, the same key, and completes the work in flight; what was done is not done again', async () => {
    await installation.start();
    const done = await client.finished(await client.uploaded(CALL));
    expect(done.status).toBe('completed');
    await installation.standIn.close();
    const waiting = [await client.uploaded(CALL), await client.uploaded(CALL)];
    await until(
      () =>
        waiting.every((id) =>
          installation.log.some(({ msg, callId }) => msg === 'this attempt failed' && callId === id),
        ),
      'both calls were tried',
    );
    await ops('backup');
    await destroy();
    await ops('restore');
    await installation.restartStandIn();
    await installation.start();
    expect(await client.call(done.id)).toEqual(done);
    for (const id of waiting) expect((await client.finished(id)).status).toBe('completed');
    expect((await client.calls()).total).toBe(3);
    expect(paid().length).toBeGreaterThan(1);
    expect(new Set(paid())).toEqual(new Set([waiting.length]));
  });

  it('goes on from the segments that were kept when it was killed', async () => {
    await installation.start();
    await installation.dieAt('segment.saved:2');
    await client.upload(CALL).catch(() => null);
    expect(await installation.ended()).toBe('SIGKILL');
    const before = paid().length;
    await ops('backup');
    await destroy();
    await ops('restore');
    await installation.start();
    const { calls } = await client.calls();
    expect((await client.finished(calls[0]?.id ?? '')).status).toBe('completed');
    expect(paid().length).toBeGreaterThanOrEqual(Math.max(2, before));
    // What was with the engine when the process died may be paid for twice; a kept segment is not.
    expect(paid().filter((times) => times === 1).length).toBeGreaterThanOrEqual(2);
  });
});
