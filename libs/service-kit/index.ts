export * from './backoff.ts';
export * from './clock.ts';
export * from './failures.ts';
export * from './lifecycle.ts';
export * from './log.ts';
export * from './metrics.ts';
export * from './points.ts';
export * from './settings.ts';
