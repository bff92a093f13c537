import { oneTimeLink } from '@call-analytics/contracts';
import { failureOf, type Logger, type Part } from '@call-analytics/service-kit';
import type { Users } from './users.ts';

const TRY_AGAIN_AFTER_MS = 5_000;

/**
 * Writes a link for the first user to the log while the installation has no account, and tries again while the store
 * does not answer. Each start makes a new link; those before stay valid until they expire or an account exists.
 * @param publicUrl where people reach the pages
 */
export function setupAnnouncement(
  users: Pick<Users, 'installation' | 'makeSetupLink'>,
  publicUrl: string,
  log: Logger,
  tryAgainAfterMs = TRY_AGAIN_AFTER_MS,
): Part {
  let failures = 0;
  let next: NodeJS.Timeout | null = null;
  let stopped = false;

  async function announce(): Promise<void> {
    try {
      const { signUp } = await users.installation();
      if (signUp === 'open' || signUp === 'closed') return;
      const { token, expiresAt } = await users.makeSetupLink();
      const url = oneTimeLink(publicUrl, 'signUp', token);
      log.warn({ url, expiresAt }, 'there is no account yet: open this link to create the first one');
    } catch (error) {
      const { code, kind } = failureOf(error);
      // With SIGN_UP=open an installation may have accounts: then there is nothing to say.
      if (code === 'already_set_up' || stopped) return;
      failures += 1;
      if (failures === 1)
        log.warn({ err: error }, 'no setup link yet: create one with "npm run accounts -- setup-link"');
      if (kind === 'transient' || kind === 'unavailable') next = setTimeout(announce, tryAgainAfterMs).unref();
    }
  }

  return {
    name: 'setup link',
    start: announce,
    async stop() {
      stopped = true;
      if (next !== null) clearTimeout(next);
    },
  };
}
