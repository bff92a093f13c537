import { Worker } from 'node:worker_threads';
import type { Analysis, Transcript } from '@call-analytics/calls';
import type { AccountScorecard } from '@call-analytics/contracts';
import { WorkError } from '@call-analytics/service-kit';
import type { Analyst } from '../analyst.ts';

/** Change the model with the rules, so that a stored analysis names the rules that made it. */
export const RULES_ENGINE = { name: 'rules', model: 'english-17' };

/** What a worker thread gets. */
export interface RulesWork {
  transcript: Transcript;
  scorecard: AccountScorecard | undefined;
}

/** Enough for a transcript of several megabytes. */
const HEAP_MB = 1024;

/**
 * Analyzes calls by the rules in worker threads, so that a long call blocks nothing else in the process. Idle threads
 * are kept for the next call.
 * @param timeoutMs after which the analysis is stopped and the call fails
 * @param script for tests: the script of the thread
 */
export function rulesAnalyst({
  timeoutMs,
  script = new URL('./worker.ts', import.meta.url),
}: {
  timeoutMs: number;
  script?: URL;
}): Analyst {
  const idle: Worker[] = [];
  return {
    ...RULES_ENGINE,
    async analyze(transcript, { signal, scorecard }) {
      signal.throwIfAborted();
      const worker = idle.pop() ?? startWorker(script, idle);
      const analysis = await answerOf(
        worker,
        { transcript, scorecard },
        AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ).catch(async (error: unknown) => {
        await worker.terminate();
        throw signal.aborted ? signal.reason : error;
      });
      idle.push(worker);
      return analysis;
    },
  };
}

function startWorker(script: URL, idle: Worker[]): Worker {
  const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
  // An idle thread must not keep the process alive, and a dead one must not get work.
  worker.unref();
  worker.on('error', () => {});
  worker.once('exit', () => {
    const place = idle.indexOf(worker);
    if (place >= 0) idle.splice(place, 1);
  });
  return worker;
}

/** @throws WorkError when it takes too long or the thread dies */
function answerOf(worker: Worker, work: RulesWork, signal: AbortSignal): Promise<Analysis> {
  const { promise, resolve, reject } = Promise.withResolvers<Analysis>();
  const timedOut = () =>
    reject(
      new WorkError({
        kind: 'rejected',
        code: 'analysis_timeout',
        message: 'The analysis of this call took longer than this installation allows. The transcript is kept.',
      }),
    );
  const died = (cause?: unknown) =>
    reject(
      new WorkError(
        { kind: 'bug', code: 'analysis_failed', message: 'The analysis of this call ended with an error.' },
        { cause },
      ),
    );
  signal.addEventListener('abort', timedOut);
  worker.once('message', resolve).once('error', died).once('exit', died);
  worker.ref();
  worker.postMessage(work);
  return promise.finally(() => {
    signal.removeEventListener('abort', timedOut);
    worker.off('message', resolve).off('error', died).off('exit', died);
    worker.unref();
  });
}
