import { execFileSync } from 'node:child_process';
import { told } from '../../../servers/addresses.ts';
import { Servers } from '../../../servers/servers.ts';
import start, { started } from '../../../servers/start.ts';

let servers: Promise<Servers> | null = null;

/**
 * RabbitMQ, MongoDB and MinIO in containers of the benchmarks. The first measure that needs them starts them, and they
 * end with the process in every case.
 */
export function benchServers(): Promise<Servers> {
  servers ??= startServers();
  return servers;
}

async function startServers(): Promise<Servers> {
  // Nothing can be measured without them: an image that is missing is pulled.
  process.env.SERVERS = 'required';
  // A signal ends the bench at once, so this cannot wait for anything.
  process.once('exit', () => {
    const ids = started.map((container) => container.getId());
    if (ids.length > 0) execFileSync('docker', ['rm', '--force', '--volumes', ...ids], { stdio: 'ignore' });
  });
  await start();
  const known = told();
  if ('missing' in known) throw new Error(known.missing);
  return new Servers(known.addresses);
}
