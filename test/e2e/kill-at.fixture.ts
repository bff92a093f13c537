// Loaded before a service (`node --import`): once a message names a point, as `name` or `name:nth`, the process dies
// there, as by kill -9 or a power cut.
import { POINTS, type PointName, watchPoints } from '@call-analytics/service-kit';

/** What came to any point before the message: calls of earlier tests, whose last points do not count. */
const earlier = new Set<string>();
let deadly: PointName | null = null;
let left = 0;

watchPoints((at, about) => {
  if (deadly === null) earlier.add(about);
  if (at !== deadly || earlier.has(about)) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
});

process.on('message', (point: string) => {
  const [name, nth = '1'] = point.split(':');
  if (!POINTS.includes(name as PointName)) throw new Error(`this is not a point: ${name}`);
  deadly = name as PointName;
  left = Number(nth);
  process.send?.(point);
});
// A service that stops does not wait for its test.
process.channel?.unref();
