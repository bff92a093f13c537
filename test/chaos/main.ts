import { scriptOptions } from '@call-analytics/service-kit';
import { runChaos } from './chaos.ts';

const USAGE = `Uploads calls to an installation whose servers, network and processes fail at random, and counts what is lost.

  npm run chaos [-- --calls 200] [--minutes 5] [--seed N]`;

const values = scriptOptions(USAGE, {
  ...{ calls: { type: 'string' }, minutes: { type: 'string' }, seed: { type: 'string' } },
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
console.log(`${calls} calls, ${minutes} minutes of faults, seed ${seed}\n`);
const began = performance.now();
const seconds = () => ((performance.now() - began) / 1_000).toFixed(1).padStart(6);
const { audit, faults, losses } = await runChaos({
  calls,
  minutes,
  seed,
  say: (line) => console.log(`${seconds()} s  ${line}`),
});

const row = (name: string, value: unknown) => console.log(`${name.padEnd(56)} ${value}`);
console.log('');
for (const [kind, times] of Object.entries(faults).sort()) row(kind, times);
console.log('');
row('calls accepted', audit.accepted);
row('completed', audit.completed);
for (const [reason, times] of Object.entries(audit.failed)) row(`failed: ${reason}`, times);
row('calls lost', audit.lost.length);
row('not finished', audit.unfinished.length);
row('more calls than uploads', audit.surplus);
row('results made twice', audit.doneTwice.length);
row('tries cut short', audit.cutShort);
row('segments paid for twice', audit.paidTwice);
row('recordings left', audit.recordings);
row('dead letters', audit.deadLetters.length);
row('bugs', audit.bugs.length);
console.log(
  losses.length === 0
    ? `\nNothing was lost (${seconds().trim()} s).`
    : `\nLOST: ${losses.join('; ')}\n--seed ${seed} repeats these faults.`,
);
for (const each of [...audit.lost, ...audit.unfinished, ...audit.doneTwice, ...audit.deadLetters, ...audit.bugs])
  console.log(each);
process.exit(losses.length === 0 ? 0 : 1);
