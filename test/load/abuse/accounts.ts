import { join } from 'node:path';
import { openUsers, usersSettings } from '@call-analytics/accounts';
import { makeLogger, readSettings } from '@call-analytics/service-kit';
import { startGateway } from '../harness/gateway.ts';
import { bounded, type Context, type Measure, type Result } from '../harness/measure.ts';

const PASSWORD = 'correct horse battery';
const EMAIL = 'ada@example.com';
/** Behind one proxy, so that an attack can come from many addresses and none of it from this machine. */
const SETTINGS = { TRUSTED_PROXIES: '1' };

/** Strangers who try to become the first user of a fresh installation, with and without guessed links. */
export const firstUser: Measure = {
  name: 'abuse/first-user',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const attempts = quick ? 40 : 400;
    const gateway = await startGateway(workspace, { settings: SETTINGS, fresh: true });
    const signUp = (i: number, link?: string) =>
      post(gateway.port, '/app/users', address(i), {
        name: 'Eve',
        email: `eve${i}@example.com`,
        password: PASSWORD,
        ...(link && { link }),
      });
    const answers: number[] = [];
    for (let i = 0; i < attempts; i += 1) {
      const { status } = await signUp(i, i % 2 === 0 ? undefined : String(i).padStart(43, 'x'));
      answers.push(status);
    }
    progress(`${attempts} sign-ups: answers ${[...new Set(answers)].join(', ')}`);
    const link = await withUsers(gateway.dataDir, async ({ users }) => (await users.makeSetupLink()).token);
    const owner = await signUp(attempts, link);
    await gateway.stop();
    const what = `${attempts} sign-ups on a fresh installation without its setup link`;
    return [
      bounded(`${what}: accounts created`, 'accounts', [answers.filter((status) => status < 300).length], {
        atMost: 0,
      }),
      bounded(`${what}: the setup link still works afterwards`, 'sign-ups', [Number(owner.status === 201)], {
        atLeast: 1,
      }),
    ];
  },
};

/** Wrong passwords from many addresses, to guess one person's password or to lock them out. */
export const lockout: Measure = {
  name: 'abuse/lockout',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const addresses = quick ? 12 : 40;
    const gateway = await startGateway(workspace, { settings: SETTINGS });
    await withUsers(gateway.dataDir, async ({ users }) => {
      const { token: invitation } = await users.claim({ accountId: gateway.accountId });
      await users.signUp({
        name: 'Ada',
        email: EMAIL,
        password: PASSWORD,
        invitation,
        origin: { ip: '192.0.2.1', userAgent: 'bench' },
      });
    });
    const signIn = (ip: string, password: string, cookie = '') =>
      post(gateway.port, '/app/session', ip, { email: EMAIL, password }, cookie);
    const known = await signIn('192.0.2.1', PASSWORD);
    const guesses: number[] = [];
    for (let i = 0; i < addresses; i += 1) {
      const round = Array.from({ length: 11 }, (_, j) => signIn(address(i), `wrong password ${i} ${j}`));
      guesses.push(...(await Promise.all(round)).map(({ status }) => status));
    }
    const compared = guesses.filter((status) => status === 403).length;
    progress(`${guesses.length} wrong passwords from ${addresses} addresses, ${compared} compared`);
    const own: number[] = [];
    for (let i = 0; i < 12; i += 1) own.push((await signIn(address(i), PASSWORD, known.device)).status);
    await gateway.stop();
    const what = `${guesses.length} wrong passwords of one person from ${addresses} addresses`;
    return [
      bounded(`${what}: passwords compared`, 'passwords', [compared], { atMost: 100 }),
      bounded(
        `${what}: sign-ins refused in the person's own browser`,
        'sign-ins',
        [own.filter((status) => status !== 200).length],
        { atMost: 0 },
      ),
    ];
  },
};

function address(i: number): string {
  return `198.51.${Math.floor(i / 250)}.${(i % 250) + 1}`;
}

/** @returns the status, and the cookie that makes the browser known */
async function post(
  port: number,
  path: string,
  ip: string,
  body: object,
  cookie = '',
): Promise<{ status: number; device: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json', 'x-forwarded-for': ip, cookie },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  const device = answer.headers.getSetCookie().find((each) => each.includes('_device='));
  return { status: answer.status, device: device?.split(';')[0] ?? '' };
}

/** Opens the users of an installation beside its gateway. */
async function withUsers<T>(
  dataDir: string,
  work: (opened: { users: ReturnType<typeof openUsers> }) => Promise<T>,
): Promise<T> {
  const file = join(dataDir, 'accounts.sqlite');
  const users = openUsers({ file, settings: readSettings(usersSettings, {}), log: makeLogger('bench', 'silent') });
  try {
    return await work({ users });
  } finally {
    await users.close();
  }
}
