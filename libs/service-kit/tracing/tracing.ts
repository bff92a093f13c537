import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';
import { z } from 'zod';
import { failureOf } from '../failures.ts';

const endpoint = z.url({ protocol: /^https?$/ }).optional();
const protocol = z.enum(['http/protobuf']).optional();

/**
 * The standard variables that enable traces. The SDK reads the others (headers, sampler, batches, OTEL_SERVICE_NAME,
 * ...). https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export const tracingSettings = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.describe(
    'where traces are sent, e.g. http://collector:4318; without it none are made',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint.describe(
    'the same with its whole path, e.g. http://collector:4318/v1/traces',
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.describe('only http/protobuf is spoken here'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.describe('only http/protobuf is spoken here'),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp').describe('none: no traces are made'),
  OTEL_SDK_DISABLED: z.string().optional().describe('true: no traces are made'),
});
type TracingSettings = z.infer<typeof tracingSettings>;

function wantsTraces(settings: TracingSettings): boolean {
  const endpoint = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  // By the specification, anything but "true", in any case, is false.
  const disabled = settings.OTEL_SDK_DISABLED?.toLowerCase() === 'true';
  return endpoint !== undefined && settings.OTEL_TRACES_EXPORTER === 'otlp' && !disabled;
}

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

const current = new AsyncLocalStorage<string | null>();
let recorder: Recorder | null = null;
const NOT_RECORDED: Span = { set: () => {}, failed: () => {} };

/** The tracing of a process. */
export interface Tracing {
  /** Logs failures to send, at most one line a minute. */
  reportTo(log: Logger): void;
  /** Sends what is left, within three seconds. Never throws. */
  stop(): Promise<void>;
}

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

// version 00: https://www.w3.org/TR/trace-context/#traceparent-header-field-values
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** @param given a W3C traceparent of any version, as received @returns it in version 00; null when it is invalid */
export function readTraceparent(given: string | null | undefined): string | null {
  if (given == null) return null;
  const [, version, traceId, spanId, flags = '', more] = TRACEPARENT.exec(given) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(`${traceId}`) || /^0+$/.test(`${spanId}`)) return null;
  // Of an unknown version, only the flag "sampled" is known.
  return `00-${traceId}-${spanId}-${version === '00' ? flags : flagsText(Number.parseInt(flags, 16) & SAMPLED)}`;
}

export function flagsText(flags: number): string {
  return flags.toString(16).padStart(2, '0');
}

/** @param traceparent one that `readTraceparent` gave */
export function partsOf(traceparent: string): { traceId: string; spanId: string; traceFlags: number } {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}
