import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccounts, openUsers } from '@call-analytics/accounts';
import type { UsersStore } from '../users.fixture.ts';

export async function sqliteUsers(): Promise<UsersStore> {
  const dir = await mkdtemp(join(tmpdir(), 'users-'));
  const file = join(dir, 'accounts.sqlite');
  return {
    async open(options) {
      const users = openUsers({ file, ...options });
      const accounts = openAccounts({ file, ...(options.clock && { clock: options.clock }) });
      return {
        users,
        accounts,
        async close() {
          await users.close();
          await accounts.close();
        },
      };
    },
    remove: () => rm(dir, { recursive: true }),
  };
}
