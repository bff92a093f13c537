import { scriptOptions } from '@call-analytics/service-kit';
import { runChaos } from './chaos.ts';
import { runChaosOnKubernetes } from './kubernetes.ts';

const USAGE = `Uploads calls to an installation whose servers, network and processes fail at random, and counts what is lost.

  npm run chaos [-- --calls 200] [--minutes 5] [--seed N]
  npm run chaos -- --kubernetes [--minutes 5] [--seed N]

  --kubernetes   on the cluster of the current context, in the namespace call-analytics, which is deleted before and after`;

const values = scriptOptions(USAGE, {
  calls: { type: 'string' },
  minutes: { type: 'string' },
  seed: { type: 'string' },
  kubernetes: { type: 'boolean' },
});
const [calls, minutes, seed] = [
  Number(values.calls ?? 200),
  Number(values.minutes ?? 5),
  Number(values.seed ?? Math.floor(Math.random() * 1e6)),
];
if (![calls, minutes, seed].every((number) => Number.isFinite(number) && number >= 0)) {
  console.error(`Give numbers of at least 0.\n\n${USAGE}`);
  process.exit(2);
}
console.log(`${values.kubernetes ? '' : `${calls} calls, `}${minutes} minutes of faults, seed ${seed}\n`);
const began = performance.now();
const seconds = () => ((performance.now() - began) / 1_000).toFixed(1).padStart(6);
const say = (line: string) => console.log(`${seconds()} s  ${line}`);
const { counts, faults, losses, details } = values.kubernetes
  ? await runChaosOnKubernetes({ minutes, seed, say })
  : await runChaos({ calls, minutes, seed, say });

const row = (name: string, value: unknown) => console.log(`${name.padEnd(56)} ${value}`);
console.log('');
for (const [kind, times] of Object.entries(faults).sort()) row(kind, times);
console.log('');
for (const [name, value] of counts) row(name, value);
console.log(
  losses.length === 0
    ? `\nNothing was lost (${seconds().trim()} s).`
    : `\nLOST: ${losses.join('; ')}\n--seed ${seed} repeats these faults.`,
);
for (const each of details) console.log(each);
process.exit(losses.length === 0 ? 0 : 1);
