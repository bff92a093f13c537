import { randomBytes } from 'node:crypto';
import { oneTimeLink } from '@call-analytics/contracts';
import type { Standalone } from '../standalone.ts';

const ORIGIN = { ip: '127.0.0.1', userAgent: 'npm run demo' };

/**
 * Makes an owner of the demo's account, with a password that nobody knows.
 * @param next the page to begin with
 * @returns a link that signs them in once, within ten minutes
 */
export async function demoSignInLink({ users, url }: Standalone, accountId: string, next: string): Promise<string> {
  const email = `${accountId}@demo.example`;
  const { token: invitation } = await users.claim({ accountId });
  const password = randomBytes(24).toString('base64url');
  const { token: session } = await users.signUp({ name: 'Demo', email, password, invitation, origin: ORIGIN });
  await users.signOut({ token: session });
  const { token } = await users.makeSignInLink({ email });
  return oneTimeLink(url, 'signIn', token, { next });
}
