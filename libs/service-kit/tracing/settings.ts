import { z } from 'zod';

const endpoint = z.url({ protocol: /^https?$/ }).optional();
const protocol = z.enum(['http/protobuf']).optional();

/**
 * The standard variables that decide whether traces are made; the SDK reads the others (headers, sampler, batches, OTEL_SERVICE_NAME, ...) itself.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
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
export type TracingSettings = z.infer<typeof tracingSettings>;

export function wantsTraces(settings: TracingSettings): boolean {
  const endpoint = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  // The specification: anything but "true", in whatever case, is false.
  const disabled = settings.OTEL_SDK_DISABLED?.toLowerCase() === 'true';
  return endpoint !== undefined && settings.OTEL_TRACES_EXPORTER === 'otlp' && !disabled;
}
