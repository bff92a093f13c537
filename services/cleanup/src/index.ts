export { createCleanup } from './cleanup.ts';
export { cleanupSettings } from './settings.ts';
