// Loaded before the service (`node --import`): the process dies, as by kill -9 or a power cut, when it comes to a named
// point. KILL_AT is `name` or `name:nth`.
import { POINTS, type PointName, watchPoints } from '@call-analytics/service-kit';

const [name, nth = '1'] = (process.env.KILL_AT ?? '').split(':');
if (!POINTS.includes(name as PointName)) throw new Error(`KILL_AT names no point: ${name}`);

let seen = 0;
watchPoints((at) => {
  if (at !== name) return;
  seen += 1;
  if (seen === Number(nth)) process.kill(process.pid, 'SIGKILL');
});
