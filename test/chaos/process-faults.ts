import { setTimeout as delay } from 'node:timers/promises';
import { type Cluster, type Member, SERVICES } from '../e2e/cluster.fixture.ts';
import type { Fault } from './server-faults.ts';

const FATES: Record<string, (member: Member, forMs: number) => Promise<void>> = {
  'is killed': async (member, forMs) => {
    await member.kill();
    await delay(forMs / 4);
    await member.launch();
  },
  'is told to stop, and starts again': async (member) => {
    await member.kill('SIGTERM');
    await member.launch();
  },
  'stands still': async (member, forMs) => {
    if (!member.process.running) return;
    process.kill(member.process.pid, 'SIGSTOP');
    await delay(forMs);
    process.kill(member.process.pid, 'SIGCONT');
  },
};

/** What may happen to the services' processes. */
export const PROCESS_FAULTS: Record<string, Fault<Cluster>> = Object.fromEntries(
  SERVICES.flatMap((service) =>
    Object.entries(FATES).map(([what, meet]) => [
      `${service} ${what}`,
      async (cluster: Cluster, { forMs, choice }: { forMs: number; choice: number }) => {
        const copies = cluster.members.filter((member) => member.service === service);
        await meet(copies[Math.floor(choice * copies.length)] as Member, forMs);
      },
    ]),
  ),
);
