import { fileURLToPath } from 'node:url';

/** The interface of the accounts service. Services read this file when they start. */
export const ACCOUNTS_PROTO = fileURLToPath(new URL('./accounts.proto', import.meta.url));
