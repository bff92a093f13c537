import { obey } from './protocol.ts';

await obey(async () => async () => null);
