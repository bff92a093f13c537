import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The upper bounds of histograms, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/**
 * Every metric of the system, in one place so that names and labels stay consistent. No label ever holds a call id, an
 * account id or a file name. Each process makes one of these and serves it at /metrics.
 */
export function makeMetrics({ processMetrics = false }: { processMetrics?: boolean } = {}) {
  const registry = new Registry();
  // The delay of the event loop is measured ten times a second: the default of a hundred keeps an idle service busy.
  if (processMetrics) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const registers = [registry];
  const counter = <Label extends string>(name: string, labelNames: Label[], help: string) =>
    new Counter<Label>({ name, labelNames, help, registers });
  const gauge = <Label extends string>(name: string, labelNames: Label[], help: string) =>
    new Gauge<Label>({ name, labelNames, help, registers });
  const histogram = <Label extends string>(name: string, labelNames: Label[], help: string) =>
    new Histogram<Label>({ name, labelNames, help, buckets, registers });
  return {
    registry,
    httpSeconds: histogram(
      'http_request_duration_seconds',
      ['method', 'route', 'status'],
      'Time from the request line to the end of the answer',
    ),
    uploadBytes: counter('upload_bytes_total', ['format'], 'Bytes of accepted recordings'),
    queueWaitSeconds: histogram(
      'queue_wait_seconds',
      ['stage'],
      'Time from when a call was ready for a stage to when a worker claimed it',
    ),
    stageSeconds: histogram('stage_duration_seconds', ['stage', 'outcome'], 'Time a worker spent on a stage of a call'),
    stageAttempts: counter('stage_attempts_total', ['stage'], 'Tries of a stage that began'),
    stageFailures: counter('stage_failures_total', ['stage', 'kind', 'code'], 'Tries of a stage that failed'),
    leasesInFlight: gauge('leases_in_flight', ['stage'], 'Calls this process is working on'),
    engineSeconds: counter(
      'engine_audio_seconds_total',
      ['engine', 'model'],
      'Seconds of audio given to a speech engine',
    ),
    engineTokens: counter('engine_tokens_total', ['engine', 'model', 'direction'], 'Tokens an engine charged for'),
    engineDollars: counter(
      'engine_cost_dollars_total',
      ['engine', 'model'],
      'What engines are estimated to have charged, in US dollars, by the list prices in libs/openai/models.ts',
    ),
    analysisItemsDropped: counter(
      'analysis_items_dropped_total',
      ['engine', 'model', 'reason'],
      'Items of a language model that were left out of an analysis: malformed, unproven, wrong_speaker, duplicate, refuted',
    ),
    messagesPublished: counter('messages_published_total', ['type'], 'Messages a broker took'),
    messagesHandled: counter('messages_handled_total', ['queue', 'outcome'], 'Deliveries by their outcome'),
    circuitBreakerState: gauge(
      'circuit_breaker_state',
      ['dependency'],
      'Whether a remote dependency is asked: 0 closed (it is), 1 half-open (one call tries), 2 open (it is not)',
    ),
    outboxAgeSeconds: gauge('outbox_oldest_age_seconds', [], 'Age of the oldest event not yet published'),
    callsReady: gauge('calls_ready', ['stage'], 'Calls ready for a stage and not yet granted'),
    callsWorkload: gauge(
      'calls_workload',
      ['stage'],
      'Calls for the workers of a stage: in work, granted and ready; only those in work while its engine is away',
    ),
    callsWaiting: gauge(
      'calls_waiting_for_dependency',
      ['dependency'],
      'Calls that wait for a dependency that does not work',
    ),
    audioAwaitingDeletion: gauge('audio_awaiting_deletion', [], 'Recordings whose deletion is due and not yet proven'),
    audioDeletions: counter('audio_deletions_total', ['outcome'], 'Deletions of recordings by their outcome'),
    audioOrphans: counter('audio_orphans_total', [], 'Stored recordings found to belong to no call, and deleted'),
  };
}
export type Metrics = ReturnType<typeof makeMetrics>;
