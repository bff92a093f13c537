import { describeNeeds } from '../requirements.fixture.ts';
import { type Addresses, told } from './addresses.ts';
import { Servers } from './servers.ts';

export { IMAGES } from './images.ts';
export { Servers } from './servers.ts';

/**
 * Tests that need the real servers; skipped with the reason where there are none. Each takes a database, a virtual host
 * or a bucket of its own from `Servers`.
 */
export function describeWithServers(name: string, tests: (servers: Servers) => void): void {
  const known = told();
  const [missing, addresses] = 'missing' in known ? [known.missing, NOWHERE] : [null, known.addresses];
  describeNeeds({ what: `the servers, and ${missing}`, present: missing === null }, name, () =>
    tests(new Servers(addresses)),
  );
}

const NOWHERE: Addresses = {
  mongodb: '',
  rabbitmq: '',
  rabbitmqManagement: '',
  s3: { endPoint: '', port: 0, accessKey: '', secretKey: '' },
};
