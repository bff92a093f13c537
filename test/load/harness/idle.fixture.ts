import { obey } from './child.ts';

await obey(async () => async () => null);
