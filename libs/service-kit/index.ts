export * from './bounded-connections.ts';
export * from './circuit-breaker.ts';
export * from './failures.ts';
export * from './lifecycle.ts';
export * from './log.ts';
export * from './metrics.ts';
export * from './points.ts';
export {
  createPrivately,
  type OpsServer,
  privateDatabaseFile,
  privateDirectory,
  runService,
  serviceSettings,
  startOpsServer,
} from './run-service.ts';
export * from './settings.ts';
export { currentTraceId, currentTraceparent, inSpan, type Span, type SpanOptions } from './tracing/tracing.ts';
