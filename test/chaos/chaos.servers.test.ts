import { expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { runChaos } from './chaos.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import { SERVER_FAULTS } from './server-faults.ts';

describeWithServers('chaos', () => {
  it('of a minute loses nothing of twenty calls', async () => {
    const { audit, ...found } = await runChaos({ calls: 20, minutes: 1, seed: 20_261_121, say: () => {} });
    expect(found).toMatchObject({ losses: [], deleted: 4, restored: 2 });
    expect(audit).toMatchObject({ accepted: 18, completed: 17 });
    const { faults } = found;
    expect(Object.keys(faults).length).toBeGreaterThan(5);
    expect(faults).toHaveProperty(['an account gets a new key, and its old ones are revoked']);
    const happenedTo = (catalogue: object) => Object.keys(faults).filter((kind) => kind in catalogue);
    expect(happenedTo(SERVER_FAULTS)).not.toEqual([]);
    expect(happenedTo(PROCESS_FAULTS)).not.toEqual([]);
  }, 600_000);
});
