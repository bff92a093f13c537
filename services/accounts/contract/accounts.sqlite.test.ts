import { openAccounts } from '@call-analytics/accounts';
import { accountsInFolder } from './accounts.fixture.ts';
import { accountsContract } from './accounts.suite.ts';

accountsContract('SQLite', (clock) => accountsInFolder((file) => openAccounts({ file, clock })));
