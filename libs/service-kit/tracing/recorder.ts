/** Where and why a span began; see `inSpan`. */
export interface SpanOptions {
  /** The span that caused this one, as a message or request brought it: null (or no valid one) begins a trace. Left out, it is the span that `inSpan` is called in. */
  traceparent?: string | null;
  kind?: 'internal' | 'server' | 'consumer';
  attributes?: Attributes;
}

/** No credentials, and nothing that was said on a call. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A span while its work is done. */
export interface Span {
  set(attributes: Attributes): void;
  /** @param code one of the closed set of failures: messages of errors may hold what must not leave the process */
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
