export * from './stage-worker.ts';
