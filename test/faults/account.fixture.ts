import { randomUUID } from 'node:crypto';
import { openAsBlob, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallListItem, UploadAccepted } from '@call-analytics/contracts';
import { audioFile } from '@call-analytics/stand-in/recordings';
import { mixed, readWav, roomNoise, type Samples, sampleAt, writeWav } from '../audio/wave.ts';
import type { Client } from '../e2e/client.fixture.ts';

const PAGE = 100;
const TRY_AGAIN_AFTER_MS = 1_000;

/** Null without an answer; `retryAfter` as the header says. */
interface UploadAnswer {
  status: number | null;
  retryAfter: string | null;
  id: string | null;
}

/** An account, and what it was promised: each answer of 202 is a call that must not be lost. */
export class Account {
  readonly client: Client;
  /** The ids of its calls, as the answers said. */
  readonly accepted = new Set<string>();
  /** Those that it has deleted for good. */
  readonly deleted = new Set<string>();
  /** Uploads without a key that were not accepted, for which the answer is no proof that there is no call. */
  undecided = 0;
  readonly #folder: string;
  readonly #nextNumber: () => number;

  constructor(client: Client, folder: string, nextNumber: () => number) {
    this.client = client;
    this.#folder = folder;
    this.#nextNumber = nextNumber;
  }

  /** A recording that was never uploaded before. @returns the path of its file */
  recording(): Promise<string> {
    return makeRecording(this.#folder, this.#nextNumber());
  }

  /** One upload, as it comes. */
  async upload(file?: string): Promise<UploadAnswer> {
    const recording = file ?? (await this.recording());
    return this.#sendOnce(() => this.client.upload(recording));
  }

  /** Sends half of an upload. @returns what sends the rest, and gives the answer as `upload` does */
  async uploadHalf(): Promise<() => Promise<UploadAnswer>> {
    const form = new FormData();
    form.set('file', await openAsBlob(await this.recording()), 'call.wav');
    const request = new Response(form);
    const bytes = Buffer.from(await request.arrayBuffer());
    const half = bytes.length >> 1;
    const [halfTaken, restAsked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const body = Readable.from(
      (async function* () {
        yield bytes.subarray(0, half);
        halfTaken.resolve();
        await restAsked.promise;
        yield bytes.subarray(half);
      })(),
      { objectMode: false },
    );
    const headers = { 'content-type': request.headers.get('content-type') ?? '' };
    const answer = this.#sendOnce(() => this.client.fetch('/calls', { method: 'POST', body, headers, duplex: 'half' }));
    await halfTaken.promise;
    return () => {
      restAsked.resolve();
      return answer;
    };
  }

  /** Uploads that are all accepted. @returns the ids */
  async uploads(count: number): Promise<string[]> {
    return Promise.all(
      Array.from({ length: count }, async () => {
        const { status, id } = await this.upload();
        if (id === null) throw new Error(`an upload was not accepted: ${status}`);
        return id;
      }),
    );
  }

  /**
   * An upload as a careful client makes it: with a key, again and again until it is accepted.
   * @returns the call, and the status of each answer, null for none
   * @throws Error when the answer says that trying again is of no use, or after `withinMs`
   */
  async insist(file?: string, withinMs = 120_000): Promise<{ id: string; statuses: (number | null)[] }> {
    const recording = file ?? (await this.recording());
    const headers = { 'idempotency-key': randomUUID() };
    const until = Date.now() + withinMs;
    const statuses: (number | null)[] = [];
    for (;;) {
      const { status, id } = await this.#send(() => this.client.upload(recording, { headers }));
      statuses.push(status);
      if (id !== null) return { id, statuses };
      if ((status !== null && status < 500) || Date.now() > until) throw new Error(`not accepted: ${statuses}`);
      await delay(TRY_AGAIN_AFTER_MS);
    }
  }

  /** All of its calls, as the API lists them. */
  async calls(): Promise<CallListItem[]> {
    const calls: CallListItem[] = [];
    for (;;) {
      const page = await this.client.calls(`?limit=${PAGE}&offset=${calls.length}`);
      calls.push(...page.calls);
      if (page.calls.length < PAGE) return calls;
    }
  }

  /**
   * Deletes a call, or restores it, again and again until that is done.
   * @returns whether there was such a call
   * @throws Error after `withinMs`
   */
  async change(id: string, how: 'delete' | 'restore', withinMs: number): Promise<boolean> {
    const [path, method] = how === 'delete' ? [`/calls/${id}`, 'DELETE'] : [`/calls/${id}/restore`, 'POST'];
    for (const until = Date.now() + withinMs; Date.now() < until; await delay(TRY_AGAIN_AFTER_MS)) {
      const { key } = this.client;
      const response = await this.client.fetch(path, { method }).catch(() => null);
      if (response?.ok || response?.status === 404) return response.ok;
      if (response !== null && response.status < 500 && key === this.client.key)
        throw new Error(`cannot ${how} ${id}: ${response.status}`);
    }
    throw new Error(`no answer to ${how} ${id}`);
  }

  async #sendOnce(request: () => Promise<Response>): Promise<UploadAnswer> {
    const answer = await this.#send(request);
    if (answer.status === null || answer.status >= 500) this.undecided += 1;
    return answer;
  }

  async #send(request: () => Promise<Response>): Promise<UploadAnswer> {
    const none = { status: null, retryAfter: null, id: null };
    const { key } = this.client;
    try {
      const response = await request();
      // Its key was revoked on the way.
      if (response.status === 401 && key !== this.client.key) return none;
      // An answer that breaks off is none.
      const { id = null } = (await response.json()) as Partial<UploadAccepted>;
      if (response.status === 202 && id !== null) this.accepted.add(id);
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        id: response.status === 202 ? id : null,
      };
    } catch {
      return none;
    }
  }
}

/** What the engine is asked for of such a recording: a piece for each person. */
export const SEGMENTS = 2;
const ROOM_DB = -62;

let tracks: { left: Samples; right: Samples } | null = null;

/**
 * A call of ten seconds, each of its two people on a channel of their own, in a room of its own: no two numbers give
 * the same bytes, so that a piece which the engine is asked for twice is known by its hash.
 * @returns the path of the file
 */
async function makeRecording(folder: string, number: number): Promise<string> {
  tracks ??= readTracks();
  const file = join(folder, `call-${number}.wav`);
  const inRoom = (track: Samples, seed: number) => mixed([track, roomNoise(track.length, ROOM_DB, seed)]);
  await writeFile(file, writeWav([inRoom(tracks.left, 2 * number), inRoom(tracks.right, 2 * number + 1)]));
  return file;
}

function readTracks(): { left: Samples; right: Samples } {
  const { path, turns } = audioFile('excerpt.wav');
  const both = readWav(readFileSync(path));
  const alone = (channel: 'left' | 'right') => {
    const track = new Float32Array(both.length);
    for (const turn of turns) {
      if (turn.channel !== channel) continue;
      const from = sampleAt(turn.startMs);
      track.set(both.subarray(from, sampleAt(turn.endMs)), from);
    }
    return track;
  };
  return { left: alone('left'), right: alone('right') };
}
