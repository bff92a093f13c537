export * from './circuit-breaker.ts';
export * from './command-line.ts';
export * from './failures.ts';
export {
  type Answer,
  type BoundedConnections,
  type ConnectionBounds,
  serveBounded,
} from './http/bounded-connections.ts';
export { type ContentCoding, contentCoding } from './http/content-coding.ts';
export * from './lifecycle.ts';
export * from './log.ts';
export * from './metrics.ts';
export * from './points.ts';
export { createPrivately, privateDatabaseFile, privateDirectory, type Warn } from './private-files.ts';
export { type Check, whyNotReady } from './readiness.ts';
export { type OpsServer, startOpsServer } from './run-service/ops-server.ts';
export { runService, type Service } from './run-service/run-service.ts';
export { serviceSettings } from './run-service/settings.ts';
export * from './settings.ts';
export * from './timing.ts';
export type { Span, SpanOptions } from './tracing/recorder.ts';
export { currentTraceId, currentTraceparent, inSpan } from './tracing/tracing.ts';
