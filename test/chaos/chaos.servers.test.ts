import { expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { runChaos } from './chaos.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import { SERVER_FAULTS } from './server-faults.ts';

describeWithServers('chaos', () => {
  it('of a minute loses nothing of twenty calls', async () => {
    const { losses, audit, faults } = await runChaos({ calls: 20, minutes: 1, seed: 20_261_121, say: () => {} });
    expect({ losses, audit }).toMatchObject({ losses: [], audit: { accepted: 20, completed: 19 } });
    expect(Object.keys(faults).length).toBeGreaterThan(5);
    const happenedTo = (catalogue: object) => Object.keys(faults).filter((kind) => kind in catalogue);
    expect(happenedTo(SERVER_FAULTS)).not.toEqual([]);
    expect(happenedTo(PROCESS_FAULTS)).not.toEqual([]);
  }, 600_000);
});
