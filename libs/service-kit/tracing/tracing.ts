import { AsyncLocalStorage } from 'node:async_hooks';
import { failureOf } from '../failures.ts';
import type { Logger } from '../log.ts';
import type { Recorder, Span, SpanOptions } from './recorder.ts';
import { type TracingSettings, wantsTraces } from './settings.ts';
import { partsOf, readTraceparent } from './traceparent.ts';

const current = new AsyncLocalStorage<string | null>();
let recorder: Recorder | null = null;
const NOT_RECORDED: Span = { set: () => {}, failed: () => {} };

/** Something that is being traced; it ends with the process. */
export interface Tracing {
  /** Says from now on what goes wrong with sending; no more than a line a minute. */
  reportTo(log: Logger): void;
  /** Sends what is left, within three seconds. Never throws: traces that are lost are no reason to end badly. */
  stop(): Promise<void>;
}

/**
 * Makes `inSpan` record, when the settings want that. To be called before the logger is made. The SDK is loaded here and nowhere else, so that it costs nothing otherwise.
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
 * Does a piece of work as one span of a trace. When no traces are made the work is done all the same, and `currentTraceparent` within it is the one given: a trace that
 * began elsewhere and goes on elsewhere is not torn here.
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

/** @returns the W3C traceparent of the span that this is called in, to be sent along with what it causes; null outside of any */
export function currentTraceparent(): string | null {
  return current.getStore() ?? null;
}

/** @returns the id of the trace that this is called in */
export function currentTraceId(): string | undefined {
  const traceparent = current.getStore() ?? null;
  return traceparent === null ? undefined : partsOf(traceparent).traceId;
}

/** @returns what gives log lines the id of their trace; undefined when no traces are made, so that a line costs no more than before */
export function traceOfLine(): (() => object) | undefined {
  if (recorder === null) return undefined;
  return () => {
    const traceId = currentTraceId();
    return traceId === undefined ? {} : { traceId };
  };
}
