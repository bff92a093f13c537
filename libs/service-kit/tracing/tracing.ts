import { AsyncLocalStorage } from 'node:async_hooks';
import { z } from 'zod';
import { failureOf } from '../failures.ts';
import type { Recorder, Span, SpanOptions, Tracing } from './open-telemetry.ts';
import { partsOf, readTraceparent } from './traceparent.ts';

const endpoint = z.url({ protocol: /^https?$/ }).optional();
const protocol = z.enum(['http/protobuf']).optional();

/**
 * The standard variables that enable traces. The SDK reads the others (headers, sampler, batches, OTEL_SERVICE_NAME,
 * ...). https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export const tracingSettings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.describe(
    'the collector to which traces are sent, e.g. http://collector:4318; unset: there are no traces',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint.describe(
    'the same with the whole path, e.g. http://collector:4318/v1/traces',
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.describe('only http/protobuf is supported'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.describe('only http/protobuf is supported'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp').describe('otlp, or none for no traces'),
  OTEL_SDK_DISABLED: z.string().optional().describe('true: there are no traces'),
});
/** Those of a process that makes no traces are not set. */
type TracingSettings = Partial<z.infer<typeof tracingSettings>>;

function wantsTraces(settings: TracingSettings): boolean {
  const endpoint = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  // By the specification, anything but "true", in any case, is false.
  const disabled = settings.OTEL_SDK_DISABLED?.toLowerCase() === 'true';
  return endpoint !== undefined && settings.OTEL_TRACES_EXPORTER === 'otlp' && !disabled;
}

const current = new AsyncLocalStorage<string | null>();
let recorder: Recorder | null = null;
const NOT_RECORDED: Span = { set: () => {}, failed: () => {} };

/**
 * Makes `inSpan` record if the settings ask for traces; call it before the logger is made. Only here is the SDK loaded,
 * so that it costs nothing otherwise.
 * @param service the name of the process in traces
 * @returns null when no traces are wanted
 */
export async function startTracing(service: string, settings: TracingSettings): Promise<Tracing | null> {
  if (!wantsTraces(settings)) return null;
  const { openTelemetry } = await import('./open-telemetry.ts');
  const started = openTelemetry(service);
  recorder = started.recorder;
  return started.tracing;
}

/**
 * Runs `work` as one span of a trace. Without tracing, `currentTraceparent` within it is the given one, so that a trace
 * that began elsewhere continues elsewhere.
 * @param name of few kinds: no ids
 * @throws what `work` throws; the span is marked as failed
 */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const within = current.getStore() ?? null;
  const parent = options.traceparent === undefined ? within : readTraceparent(options.traceparent);
  if (recorder === null) return parent === within ? work(NOT_RECORDED) : current.run(parent, work, NOT_RECORDED);
  const span = recorder.begin(name, parent, options);
  return current.run(span.traceparent, async () => {
    try {
      return await work(span);
    } catch (error) {
      span.failed(failureOf(error).code);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** @returns the W3C traceparent of the current span, to send along with what it causes; null outside of any */
export function currentTraceparent(): string | null {
  return current.getStore() ?? null;
}

/** @returns the id of the current trace */
export function currentTraceId(): string | undefined {
  const traceparent = current.getStore() ?? null;
  return traceparent === null ? undefined : partsOf(traceparent).traceId;
}

/** @returns adds the trace id to log lines; undefined without tracing, so that a line costs no more */
export function traceOfLine(): (() => object) | undefined {
  if (recorder === null) return undefined;
  return () => {
    const traceId = currentTraceId();
    return traceId === undefined ? {} : { traceId };
  };
}
