/** Where the servers listen, on this machine. */
export interface Addresses {
  mongodb: string;
  rabbitmq: string;
  /** User and password are `guest`. */
  rabbitmqManagement: string;
  s3: { endPoint: string; port: number; accessKey: string; secretKey: string };
}

export type Told = { missing: string } | { addresses: Addresses };

const VARIABLE = 'TEST_SERVERS';

/** Jest's workers inherit the environment, and nothing else, from the process that started the servers. */
export function tellTests(told: Told): void {
  process.env[VARIABLE] = JSON.stringify(told);
}

export function told(): Told {
  const text = process.env[VARIABLE];
  return text === undefined ? { missing: 'the servers were not started' } : (JSON.parse(text) as Told);
}
