import { oneTimeLink } from '@call-analytics/contracts';
import { failureOf, type Logger } from '@call-analytics/service-kit';
import type { Users } from './users.ts';

/**
 * Writes a link for the first user to the log while the installation has no account. Each start makes a new link; those before
 * stay valid until they expire or an account exists.
 * @param publicUrl where people reach the pages
 */
export async function announceSetup(users: Users, publicUrl: string, log: Logger): Promise<void> {
  try {
    const { signUp } = await users.installation();
    if (signUp === 'open' || signUp === 'closed') return;
    const { token, expiresAt } = await users.makeSetupLink();
    const url = oneTimeLink(publicUrl, 'signUp', token);
    log.warn({ url, expiresAt }, 'there is no account yet: open this link to create the first one');
  } catch (error) {
    const { code } = failureOf(error);
    // With SIGN_UP=open an installation may have accounts: then there is nothing to say.
    if (code !== 'already_set_up')
      log.warn({ err: error }, 'no setup link: create one with "npm run accounts -- setup-link"');
  }
}
