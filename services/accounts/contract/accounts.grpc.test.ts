import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccounts } from '@call-analytics/accounts';
import { served } from './accounts/served.fixture.ts';
import { accountsContract } from './accounts.suite.ts';

accountsContract('gRPC, with SQLite behind it', async (clock) => {
  const dir = await mkdtemp(join(tmpdir(), 'accounts-'));
  return served(
    async () => openAccounts({ file: join(dir, 'accounts.sqlite'), clock }),
    () => rm(dir, { recursive: true }),
  );
});
