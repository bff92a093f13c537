import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Child } from '../harness/child.ts';
import { Workspace } from '../harness/workspace.ts';
import type { Load, Simulated } from './simulation.main.ts';

describe('an hour of 1,000 calls a day, of which one account imports 1,000 at once', () => {
  const workspace = new Workspace(tmpdir());
  let found: Simulated;

  beforeAll(async () => {
    const child = await Child.start<Load, Simulated>(workspace, new URL('simulation.main.ts', import.meta.url), null);
    found = await child.ask({ callsPerDay: 1_000, accounts: 10, seconds: 3_600, imported: 1_000 });
    await child.stop();
  }, 120_000);

  afterAll(() => workspace.remove());

  it('passes in the time that its code takes, and keeps the workers busy', () => {
    expect(found.accepted).toBeGreaterThan(1_200);
    expect(found.utilization).toBeGreaterThan(0.8);
  });

  it("starts another account's call within one job's time", () => {
    expect(found.newcomers).toHaveLength(100);
    expect(Math.max(...found.newcomers)).toBeLessThanOrEqual(1);
  });
});
