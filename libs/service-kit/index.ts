export * from './amounts.ts';
export * from './bounded-connections.ts';
export * from './circuit-breaker.ts';
export * from './command-line.ts';
export * from './failures.ts';
export * from './lifecycle.ts';
export * from './listening.ts';
export * from './log.ts';
export * from './metrics.ts';
export * from './mongodb.ts';
export * from './points.ts';
export {
  createPrivately,
  privateDatabaseFile,
  privateDirectory,
  runProcess,
  runService,
  serviceSettings,
} from './run-service.ts';
export * from './settings.ts';
export type { Span, SpanOptions } from './tracing/open-telemetry.ts';
export { currentTraceId, currentTraceparent, inSpan } from './tracing/tracing.ts';
