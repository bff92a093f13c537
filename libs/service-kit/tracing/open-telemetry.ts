import { DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Logger } from 'pino';
import { withTimeout } from '../failures.ts';
import { flagsText, partsOf } from './traceparent.ts';

/** See `inSpan`. */
export interface SpanOptions {
  /** The parent from a message or request: null (or an invalid one) begins a trace. By default the current span. */
  traceparent?: string | null;
  kind?: 'internal' | 'server' | 'consumer';
  attributes?: Attributes;
}

/** No credentials, and nothing that was said on a call. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A span while its work is done. */
export interface Span {
  set(attributes: Attributes): void;
  /** @param code of the closed set of failures: messages of errors may contain what must not leave the process */
  failed(code: string): void;
}

export interface Recorder {
  /** @param parent a valid traceparent; null begins a trace */
  begin(
    name: string,
    parent: string | null,
    options: SpanOptions,
  ): Span & { readonly traceparent: string; end(): void };
}

/** The tracing of a process. */
export interface Tracing {
  /** Logs failures to send, at most one line a minute. */
  reportTo(log: Logger): void;
  /** Sends what is left, within three seconds. Never throws. */
  stop(): Promise<void>;
}

/** Together with SHUTDOWN_DEADLINE less than the 30 s after which platforms kill. */
const FLUSH_WITHIN_MS = 3_000;
const REPORT_EVERY_MS = 60_000;
const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, consumer: SpanKind.CONSUMER };

/** Sends spans to an OTLP collector. Nothing is registered globally: `inSpan` knows the current span. */
export function openTelemetry(service: string): { recorder: Recorder; tracing: Tracing } {
  const ours = resourceFromAttributes({ 'service.name': service, 'service.namespace': 'call-analytics' });
  // The operator's OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
  const resource = defaultResource()
    .merge(ours)
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('call-analytics');
  let report: (what: string) => void = () => {};

  const recorder: Recorder = {
    begin(name, parent, { kind = 'internal', attributes = {}, traceparent }) {
      const remote = { isRemote: traceparent !== undefined };
      const context =
        parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...partsOf(parent), ...remote });
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, context);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${flagsText(traceFlags)}`,
        set: (more) => void span.setAttributes(more),
        failed: (code) =>
          void span.setStatus({ code: SpanStatusCode.ERROR, message: code }).setAttribute('error.type', code),
        end: () => span.end(),
      };
    },
  };

  const tracing: Tracing = {
    reportTo(log) {
      report = atMostEvery(REPORT_EVERY_MS, log);
      const warn = (message: string) => report(message);
      diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, { logLevel: DiagLogLevel.WARN });
    },
    async stop() {
      const failure = await withTimeout(provider.shutdown(), FLUSH_WITHIN_MS, 'no response').catch(String);
      if (failure !== undefined) report(`the last spans were not sent: ${failure}`);
    },
  };
  return { recorder, tracing };
}

/** A missing collector is reported with each batch. */
function atMostEvery(ms: number, log: Logger): (what: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (what) => {
    if (performance.now() - last < ms) return;
    last = performance.now();
    log.warn({ reason: what }, 'traces are not being sent');
  };
}
