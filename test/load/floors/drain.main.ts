import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { folderAudioStore } from '@call-analytics/audio-store';
import { type Call, type CallStore, DEFAULT_POLICY, openSqliteCallStore } from '@call-analytics/calls';
import { type MessageType, makeMessage, parseMessage, type Stage } from '@call-analytics/contracts';
import * as transitions from '../../../libs/calls/transitions.ts';
import { Decoding } from '../../../services/transcription/src/decode/decode.ts';
import { obey } from '../harness/child.ts';
import { counting } from '../harness/counting.ts';
import { SAMPLE_ANALYSIS, SAMPLE_SEGMENT, SAMPLE_TRANSCRIPT } from '../seed/sample.ts';
import type { Drain, Drained } from '../servers/drain.main.ts';

// The least that any pipeline must read and write to bring the same calls to their end with the same promises: the same
// statements with the same durability, the same files, the same messages. One loop that knows which call is next: no
// dispatcher, no messaging, no lease to keep alive, no logs, no metrics.

/**
 * As many calls at a time as the pipeline has in flight (2 in transcription, 2 in analysis, 4 in cleanup): file
 * operations overlap, SQLite's do not.
 */
const AT_A_TIME = 8;
/** Decoding processes at a time, as transcription has by default. */
const DECODERS = 2;
const LIMITS = { timeMs: 60_000, memoryBytes: 2 ** 30, audioSeconds: 3600 };

await obey<null, Drain, Drained>(async () => drain);

async function drain({ dataDir, calls: count, decodes, segments }: Drain): Promise<Drained> {
  const { store, count: storeCalls } = counting(openSqliteCallStore({ file: join(dataDir, 'calls.sqlite') }));
  const audioStore = folderAudioStore({ dir: join(dataDir, 'audio') });
  const cpuBefore = cpuUsage();
  const decoders = Array.from({ length: DECODERS }, () => Promise.resolve());
  const began = performance.now();
  const waiting = await relay(store);
  if (waiting.length !== count) throw new Error(`${waiting.length} calls wait`);
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async (_, lane) => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await complete(id, lane);
    }),
  );
  const ms = performance.now() - began;
  const cpu = cpuUsage(cpuBefore);
  await store.close();
  return { ms, cpuMs: (cpu.user + cpu.system) / 1000, storeCalls: storeCalls(), segments: segments * count };

  async function complete(id: string, lane: number): Promise<void> {
    const transcribing = await begin(await stored(id), 'transcription');
    const { audio } = transcribing;
    const dir = await mkdtemp(join(dataDir, 'work-'));
    await audioStore.fetch(audio.key, join(dir, 'recording'));
    if (decodes) await decodeInTurn(dir, audio.bytes, lane);
    for (let n = 0; n < segments; n += 1) {
      await store.saveSegment(
        { callId: id, stage: 'transcription', attempt: 1 },
        { ...SAMPLE_SEGMENT, key: String(n) },
        new Date(),
      );
    }
    const transcribed = await write(transcribing, (call) =>
      transitions.transcribed(call, call.attempt, SAMPLE_TRANSCRIPT, new Date()),
    );
    await rm(dir, { recursive: true, force: true });

    const analyzing = await begin(transcribed, 'analysis');
    await store.transcript(id);
    await write(analyzing, (call) => transitions.analyzed(call, call.attempt, SAMPLE_ANALYSIS, new Date()));
    await relay(store);

    const completed = await stored(id);
    await audioStore.delete(audio.key);
    await write(completed, (call) => transitions.audioDeleted(call, new Date()));
    await relay(store);
  }

  async function decodeInTurn(dir: string, bytes: number, lane: number): Promise<void> {
    const place = lane % decoders.length;
    const turn = (decoders[place] ?? Promise.resolve()).then(() => decode(dir, bytes));
    decoders[place] = turn;
    await turn;
  }

  /** Handed out and taken: two writes, because the worker may be in another process, and a message between them. */
  async function begin(ready: Call, stage: Stage): Promise<Call> {
    const now = new Date();
    const { id, accountId } = await write(ready, (call) => transitions.grant(call, now, DEFAULT_POLICY));
    send(`${stage}.requested`, id, accountId);
    return write(await stored(id), (call) => transitions.claim(call, stage, 'bench', now, DEFAULT_POLICY));
  }

  async function stored(id: string): Promise<Call> {
    const call = await store.get(id);
    if (call === null) throw new Error(`no call ${id}`);
    return call;
  }

  async function write(call: Call, decide: (call: Call) => transitions.Decision): Promise<Call> {
    const decision = decide(call);
    if ('refused' in decision) throw new Error(decision.refused);
    const written = await store.update(call.id, call.version, decision.write);
    if (written === null) throw new Error('written by someone else');
    return written;
  }
}

/** Publishes the events that wait. @returns the calls they are about */
async function relay(store: CallStore): Promise<string[]> {
  const events = await store.outbox(10_000);
  for (const { message } of events) send(message.type, message.data.callId, message.data.accountId);
  await store.removeFromOutbox(events.map(({ id }) => id));
  return events.map(({ message }) => message.data.callId);
}

/** What a message costs in memory: written by one side, read by the other. */
function send(type: MessageType, callId: string, accountId: string): void {
  parseMessage(JSON.stringify(makeMessage(type, { callId, accountId }, `${callId}.${type}`, '/bench', new Date())));
}

async function decode(dir: string, bytes: number): Promise<void> {
  const decoding = new Decoding(dir, LIMITS, new AbortController().signal);
  await decoding.open(bytes);
  for await (const _ of decoding.samples());
  await decoding.close();
}
