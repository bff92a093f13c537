import { fileURLToPath } from 'node:url';

/** The interface of the accounts service, as a file: it is read when a service starts, so that there is no generated code to keep in step. */
export const ACCOUNTS_PROTO = fileURLToPath(new URL('./accounts.proto', import.meta.url));
