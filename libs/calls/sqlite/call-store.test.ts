import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callStoreContract } from '../contract/call-store.suite.ts';
import { openSqliteCallStore } from './store.ts';

callStoreContract('SQLite', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'calls-'));
  const store = openSqliteCallStore({ file: join(dir, 'calls.sqlite') });
  return {
    store,
    close: async () => {
      await store.close();
      await rm(dir, { recursive: true });
    },
  };
});
