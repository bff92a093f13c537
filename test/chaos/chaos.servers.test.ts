import { expect, it } from '@jest/globals';
import { describeWithServers } from '../servers/index.ts';
import { runChaos } from './chaos.ts';

describeWithServers('chaos', () => {
  it('of half a minute loses nothing of twenty calls', async () => {
    const { losses, stock, faults } = await runChaos({ calls: 20, minutes: 0.5, seed: 20_261_121, say: () => {} });
    expect({ losses, stock }).toMatchObject({ losses: [], stock: { accepted: 20, completed: 19 } });
    expect(Object.keys(faults).length).toBeGreaterThan(5);
  }, 600_000);
});
