import { describeNeeds } from '../requirements.ts';
import { type Addresses, told } from './addresses.ts';
import { Servers } from './servers.ts';

export { IMAGES } from './images.ts';
export { Servers } from './servers.ts';

/** Tests that need the real servers; skipped with the reason where there are none. Each takes a database, a virtual host or a bucket of its own from `Servers`. */
export function describeWithServers(name: string, tests: (servers: Servers) => void): void {
  const known = told();
  const missing = 'missing' in known;
  describeNeeds({ what: `the servers${missing ? `, and ${known.missing}` : ''}`, present: !missing }, name, () =>
    tests(new Servers(missing ? NOWHERE : known.addresses)),
  );
}

const NOWHERE: Addresses = {
  mongodb: '',
  rabbitmq: '',
  rabbitmqManagement: '',
  s3: { endPoint: '', port: 0, accessKey: '', secretKey: '' },
};
