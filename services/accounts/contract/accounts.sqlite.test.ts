import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccounts } from '@call-analytics/accounts';
import { accountsContract } from './accounts.suite.ts';

accountsContract('SQLite', async (clock) => {
  const dir = await mkdtemp(join(tmpdir(), 'accounts-'));
  const open = () => openAccounts({ file: join(dir, 'accounts.sqlite'), clock });
  let accounts = open();
  return {
    accounts,
    async reopen() {
      await accounts.close();
      accounts = open();
      return accounts;
    },
    async close() {
      await accounts.close();
      await rm(dir, { recursive: true });
    },
  };
});
