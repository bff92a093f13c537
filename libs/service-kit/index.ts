export {
  type Answer,
  type BoundedConnections,
  type ConnectionBounds,
  serveBounded,
} from './bounded-connections.ts';
export * from './circuit-breaker.ts';
export * from './command-line.ts';
export * from './failures.ts';
export * from './lifecycle.ts';
export * from './log.ts';
export * from './metrics.ts';
export * from './points.ts';
export { createPrivately, privateDatabaseFile, privateDirectory } from './private-files.ts';
export { type OpsServer, runService, serviceSettings, startOpsServer } from './run-service.ts';
export * from './settings.ts';
export * from './timing.ts';
export { currentTraceId, currentTraceparent, inSpan, type Span, type SpanOptions } from './tracing/tracing.ts';
