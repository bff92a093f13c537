export { cleanupSettings, createCleanup } from './cleanup.ts';
