export { type CleanupOptions, createCleanup } from './cleanup.ts';
export { type CleanupSettings, cleanupSettings } from './settings.ts';
