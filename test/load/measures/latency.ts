import { copyFileSync, openAsBlob, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { UploadAccepted } from '@call-analytics/contracts';
import { Decoding } from '../../../services/transcription/src/decode/decode.ts';
import { Child } from '../harness/child.ts';
import { makeAccount } from '../harness/gateway.ts';
import { beyond, type Context, interleaved, type Measure, type Result } from '../harness/measure.ts';
import type { Question } from '../servers/standalone.main.ts';

const RECORDING = fileURLToPath(new URL('../../../services/stand-in/recordings/excerpt.mp3', import.meta.url));
const LIMITS = { timeMs: 60_000, memoryBytes: 2 ** 30, audioSeconds: 3600 };

/**
 * From 202 to `completed` on an idle service, against decoding the same recording alone: engines that answer at once,
 * one call at a time.
 */
export const latency: Measure = {
  name: 'latency',
  async run({ workspace, quick, progress }: Context): Promise<Result[]> {
    const dataDir = workspace.folder('latency');
    const { key } = await makeAccount(dataDir);
    const service = await Child.start<Question, string | number>(
      workspace,
      new URL('../servers/standalone.main.ts', import.meta.url),
      { dataDir },
    );
    const url = String(await service.ask({ ask: 'url' }));
    const decodeDir = workspace.folder('decode');
    copyFileSync(RECORDING, join(decodeDir, 'recording'));
    const measured = await interleaved(
      quick ? 5 : 40,
      () => fromAcceptedToCompleted(service, url, key),
      () => decodeAlone(decodeDir),
    );
    await service.stop();
    progress(`${measured.ours.length} calls`);
    return [
      beyond('From 202 to completed, beyond decoding the same recording alone: p50', 'ms', measured, { atMost: 60 }, [
        'ours: the whole way, decoding included; floor: a decoding process for the same 10 s of MP3, from its start to its end',
      ]),
    ];
  },
};

/** @returns milliseconds */
async function fromAcceptedToCompleted(
  service: Child<Question, string | number>,
  url: string,
  key: string,
): Promise<number> {
  const form = new FormData();
  form.set('file', await openAsBlob(RECORDING), 'call.mp3');
  const response = await fetch(`${url}/api/v1/calls`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${key}` },
  });
  const accepted = performance.timeOrigin + performance.now();
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  const { id } = (await response.json()) as UploadAccepted;
  return Number(await service.ask({ ask: 'when completed', callId: id })) - accepted;
}

/** @returns milliseconds */
async function decodeAlone(dir: string): Promise<number> {
  const began = performance.now();
  const decoding = new Decoding(dir, LIMITS, new AbortController().signal);
  await decoding.open(statSync(join(dir, 'recording')).size);
  for await (const _ of decoding.samples());
  await decoding.close();
  return performance.now() - began;
}
