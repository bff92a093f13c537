import { openAsBlob } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Calls } from '@call-analytics/calls';
import { openMongoCallStore } from '@call-analytics/calls/mongo';
import { makeMessage, parseMessage, type UploadAccepted } from '@call-analytics/contracts';
import { bounded, type Context, compared, interleaved, type Measure, type Result } from '../../harness/measure.ts';
import type { Workspace } from '../../harness/workspace.ts';
import { Installation } from '../environment/installation.ts';
import { type Pipeline, startPipeline } from '../environment/pipeline.ts';

const RECORDING = fileURLToPath(new URL('../../../../services/stand-in/recordings/excerpt.mp3', import.meta.url));

/**
 * On an idle installation, one call at a time: from 202 to `completed`, and from a call's commit to the broker's
 * confirm of its event. A second installation, whose services have neither circuit breakers nor a log, shows what these
 * cost.
 */
export const latency: Measure = {
  name: 'latency',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const count = quick ? 10 : 60;
    const [ours, bare] = [await Idle.start(workspace), await Idle.start(workspace, true)];
    const completed = await interleaved(
      count,
      () => ours.fromAcceptedToCompleted(),
      () => bare.fromAcceptedToCompleted(),
    );
    await bare.stop();
    const published: number[] = [];
    // The first one warms up.
    for (let n = 0; n <= count; n += 1) published.push(await ours.fromCommitToPublished(n));
    await ours.stop();
    progress(`${completed.ours.length} calls, ${count} events`);
    return [
      bounded(
        'From 202 to completed, an engine that answers at once and nothing to decode: p50',
        'ms',
        completed.ours,
        { atMost: 100 },
      ),
      compared('… against services without circuit breakers and without a log: p50', 'ms', completed, { atMost: 1.1 }, [
        `reading and validating a message takes ${microsToParse().toFixed(0)} µs, on both sides; a call has eight, of which four are read`,
      ]),
      bounded(
        "From a call's commit to its published event: p50",
        'ms',
        published.slice(1),
        { atMost: 15 },
        {
          notes: [
            'from the acknowledged write, in the process that wrote, to the confirmed publish, in the dispatcher',
          ],
        },
      ),
    ];
  },
};

/** An installation with nothing to do but what it is asked here. */
class Idle {
  readonly #installation: Installation;
  readonly #pipeline: Pipeline;
  readonly #client: { accountId: string; key: string };
  readonly #others: { stop(): Promise<void> }[];

  private constructor(
    installation: Installation,
    pipeline: Pipeline,
    client: { accountId: string; key: string },
    others: { stop(): Promise<void> }[],
  ) {
    this.#installation = installation;
    this.#pipeline = pipeline;
    this.#client = client;
    this.#others = others;
  }

  static async start(workspace: Workspace, bare = false): Promise<Idle> {
    const installation = await Installation.make(workspace);
    const others = [await installation.start('accounts'), await installation.start('api-gateway')];
    const client = await installation.account();
    const pipeline = await startPipeline(workspace, { environment: installation.environment, engineMs: 0, bare });
    await pipeline.dispatcher.ask({ start: true });
    return new Idle(installation, pipeline, client, others);
  }

  async stop(): Promise<void> {
    await this.#pipeline.stop();
    await Promise.all(this.#others.map((service) => service.stop()));
    await this.#installation.remove();
  }

  /** @returns milliseconds */
  async fromAcceptedToCompleted(): Promise<number> {
    const form = new FormData();
    form.set('file', await openAsBlob(RECORDING), 'call.mp3');
    const headers = { authorization: `Bearer ${this.#client.key}` };
    const response = await fetch(`${this.#installation.url}/api/v1/calls`, { method: 'POST', body: form, headers });
    const accepted = now();
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    const { id } = (await response.json()) as UploadAccepted;
    const ms = (await this.#pipeline.analysis.ask({ when: 'analysis.committed', callId: id })) - accepted;
    await this.#pipeline.cleanup.ask({ when: 'audio.deleted', callId: id });
    return ms;
  }

  /** @returns milliseconds */
  async fromCommitToPublished(n: number): Promise<number> {
    const store = await openMongoCallStore({ url: this.#installation.environment.MONGODB_URL });
    // Its recording was never there: the call fails in transcription, after its event.
    const audio = { key: `missing-${n}`, bytes: 1, format: 'mp3', seconds: 120 } as const;
    const { call } = await new Calls(store).accept({
      accountId: this.#client.accountId,
      fileName: 'call.mp3',
      reportType: 'medium',
      audio,
    });
    const committed = now();
    const ms = (await this.#pipeline.dispatcher.ask({ when: 'event.published', callId: call.id })) - committed;
    await store.close();
    await delay(100);
    return ms;
  }
}

/** In ms since 1970, with fractions: the clock that processes share. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

function microsToParse(): number {
  const body = JSON.stringify(
    makeMessage('transcription.requested', { callId: 'call_1', accountId: 'account_1' }, 'id', '/bench', new Date()),
  );
  const times = 10_000;
  for (let n = 0; n < times; n += 1) parseMessage(body);
  const began = performance.now();
  for (let n = 0; n < times; n += 1) parseMessage(body);
  return ((performance.now() - began) / times) * 1_000;
}
