import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/**
 * Every metric of the system, in one place so that names and labels stay consistent; each process serves one of these
 * at /metrics. No label holds a call id, an account id or a file name.
 */
export function makeMetrics({ processMetrics = false }: { processMetrics?: boolean } = {}) {
  const registry = new Registry();
  // Measures the delay of the event loop ten times a second. prom-client's default of a hundred is most of the work of
  // an idle service.
  if (processMetrics) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const registers = [registry];
  return {
    registry,
    httpSeconds: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the request line to the end of the answer',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    uploadBytes: new Counter({
      name: 'upload_bytes_total',
      help: 'Bytes of accepted recordings',
      labelNames: ['format'],
      registers,
    }),
    queueWaitSeconds: new Histogram({
      name: 'queue_wait_seconds',
      help: 'Time from when a call was ready for a stage to when a worker claimed it',
      labelNames: ['stage'],
      buckets: SECONDS,
      registers,
    }),
    stageSeconds: new Histogram({
      name: 'stage_duration_seconds',
      help: 'Time a worker spent on a stage of a call',
      labelNames: ['stage', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    stageAttempts: new Counter({
      name: 'stage_attempts_total',
      help: 'Attempts at a stage that began',
      labelNames: ['stage'],
      registers,
    }),
    stageFailures: new Counter({
      name: 'stage_failures_total',
      help: 'Attempts at a stage that failed',
      labelNames: ['stage', 'kind', 'code'],
      registers,
    }),
    leasesInFlight: new Gauge({
      name: 'leases_in_flight',
      help: 'Calls this process is working on',
      labelNames: ['stage'],
      registers,
    }),
    engineSeconds: new Counter({
      name: 'engine_audio_seconds_total',
      help: 'Seconds of audio given to a speech engine',
      labelNames: ['engine', 'model'],
      registers,
    }),
    engineTokens: new Counter({
      name: 'engine_tokens_total',
      help: 'Tokens an engine charged for',
      labelNames: ['engine', 'model', 'direction'],
      registers,
    }),
    engineDollars: new Counter({
      name: 'engine_cost_dollars_total',
      help: 'What engines are estimated to have charged, in US dollars, by the list prices in libs/openai/models.ts',
      labelNames: ['engine', 'model'],
      registers,
    }),
    analysisItemsDropped: new Counter({
      name: 'analysis_items_dropped_total',
      help: 'Items of a language model that were left out of an analysis: malformed, unproven, wrong_speaker, duplicate, refuted',
      labelNames: ['engine', 'model', 'reason'],
      registers,
    }),
    messagesPublished: new Counter({
      name: 'messages_published_total',
      help: 'Messages a broker took',
      labelNames: ['type'],
      registers,
    }),
    messagesHandled: new Counter({
      name: 'messages_handled_total',
      help: 'Deliveries by their outcome',
      labelNames: ['queue', 'outcome'],
      registers,
    }),
    circuitBreakerState: new Gauge({
      name: 'circuit_breaker_state',
      help: 'Whether a remote dependency is asked: 0 closed (it is), 1 half-open (one call tries), 2 open (it is not)',
      labelNames: ['dependency'],
      registers,
    }),
    dependencySeconds: new Histogram({
      name: 'dependency_request_duration_seconds',
      help: 'Time of a request to a remote dependency: answered, also with a refusal, or failed, as its circuit counts',
      labelNames: ['dependency', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    outboxAgeSeconds: new Gauge({
      name: 'outbox_oldest_age_seconds',
      help: 'Age of the oldest event not yet published',
      registers,
    }),
    callsReady: new Gauge({
      name: 'calls_ready',
      help: 'Calls ready for a stage and not yet granted, without those that a spending limit holds',
      labelNames: ['stage'],
      registers,
    }),
    callsHeld: new Gauge({
      name: 'calls_held_by_spending_limit',
      help: 'Ready calls of accounts that have reached their spending limit of the day; not in calls_ready',
      labelNames: ['stage'],
      registers,
    }),
    stageDrained: new Gauge({
      name: 'stage_drained',
      help: 'Whether operators have drained a stage: 1 while no work begins on its ready calls, else 0',
      labelNames: ['stage'],
      registers,
    }),
    callsWorkload: new Gauge({
      name: 'calls_workload',
      help: 'Calls for the workers of a stage: in work, granted and ready; only those in work while none may be begun',
      labelNames: ['stage'],
      registers,
    }),
    callsWaiting: new Gauge({
      name: 'calls_waiting_for_dependency',
      help: 'Calls that wait for a dependency that does not work',
      labelNames: ['dependency'],
      registers,
    }),
    audioAwaitingDeletion: new Gauge({
      name: 'audio_awaiting_deletion',
      help: 'Recordings whose deletion is due and not yet proven',
      registers,
    }),
    audioDeletions: new Counter({
      name: 'audio_deletions_total',
      help: 'Deletions of recordings by their outcome',
      labelNames: ['outcome'],
      registers,
    }),
    audioOrphans: new Counter({
      name: 'audio_orphans_total',
      help: 'Stored recordings found to belong to no call, and deleted',
      registers,
    }),
  };
}
export type Metrics = ReturnType<typeof makeMetrics>;
