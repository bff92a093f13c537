import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import protobuf from 'protobufjs';

interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the first of a trace. */
  parentSpanId: string;
  kind: string;
  attributes: Record<string, string | number | boolean>;
  /** The code of the failure, of a span that failed. */
  failed: string | null;
}

/**
 * A server that takes traces as an OpenTelemetry collector does, by OTLP over HTTP with protobuf, and keeps them for
 * tests to look at.
 */
export class Collector {
  readonly spans: ReceivedSpan[] = [];
  /** With which to answer instead of taking what comes; null takes it. */
  status: number | null = null;
  readonly #server = createServer(async (req, res) => {
    const body = await buffer(req);
    if (this.status !== null) return res.writeHead(this.status).end();
    if (req.url !== '/v1/traces' || req.headers['content-type'] !== 'application/x-protobuf')
      return res.writeHead(404).end();
    this.spans.push(...read(body));
    return res.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
  });

  static async start(): Promise<Collector> {
    const collector = new Collector();
    collector.#server.listen(0, '127.0.0.1');
    await once(collector.#server, 'listening');
    return collector;
  }

  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}

// The fields that are looked at.
// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
const PROTO = `
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; Kind kind = 6;
    repeated KeyValue attributes = 9; Status status = 15;
  }
  enum Kind { UNSPECIFIED = 0; INTERNAL = 1; SERVER = 2; CLIENT = 3; PRODUCER = 4; CONSUMER = 5; }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }`;
const Request = protobuf.parse(PROTO).root.lookupType('Request');
const ERROR = 2;

interface Attribute {
  key: string;
  value: Record<string, string | number | boolean>;
}
interface OtlpSpan extends Record<'traceId' | 'spanId' | 'parentSpanId', string> {
  name: string;
  kind: string;
  attributes?: Attribute[];
  status?: { code?: number; message?: string };
}
interface OtlpRequest {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

function read(body: Buffer): ReceivedSpan[] {
  const { resourceSpans } = Request.toObject(Request.decode(body), {
    bytes: String,
    enums: String,
    longs: Number,
  }) as OtlpRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(named(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, attributes = [], status, ...ids }) => ({
        service,
        name,
        traceId: hex(ids.traceId),
        spanId: hex(ids.spanId),
        parentSpanId: hex(ids.parentSpanId ?? ''),
        kind,
        attributes: named(attributes),
        failed: status?.code === ERROR ? (status.message ?? '') : null,
      })),
    );
  });
}

function named(attributes: Attribute[]): ReceivedSpan['attributes'] {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));
}

function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}
