import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallListItem, UploadAccepted } from '@call-analytics/contracts';
import type { Client } from '../e2e/client.ts';
import { makeRecording } from './recording.ts';

const PAGE = 100;
const TRY_AGAIN_AFTER_MS = 1_000;

/** An account, and what it was promised: each answer of 202 is a call that must not be lost. */
export class Account {
  readonly client: Client;
  /** The ids of its calls, as the answers said. */
  readonly accepted = new Set<string>();
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

  /** One upload, as it comes. @returns the status, null without an answer; `retryAfter` as the header says */
  async upload(file?: string): Promise<{ status: number | null; retryAfter: string | null; id: string | null }> {
    const answer = await this.#send(file ?? (await this.recording()), {});
    if (answer.status === null || answer.status >= 500) this.undecided += 1;
    return answer;
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
   * @returns the status of each answer, null for none
   * @throws Error when the answer says that trying again is of no use, or after `withinMs`
   */
  async insist(file?: string, withinMs = 120_000): Promise<(number | null)[]> {
    const recording = file ?? (await this.recording());
    const headers = { 'idempotency-key': randomUUID() };
    const until = Date.now() + withinMs;
    const statuses: (number | null)[] = [];
    for (;;) {
      const { status } = await this.#send(recording, headers);
      statuses.push(status);
      if (status === 202) return statuses;
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

  async #send(file: string, headers: Record<string, string>) {
    try {
      const response = await this.client.upload(file, { headers });
      // An answer that breaks off is none.
      const { id = null } = (await response.json()) as Partial<UploadAccepted>;
      if (response.status === 202 && id !== null) this.accepted.add(id);
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        id: response.status === 202 ? id : null,
      };
    } catch {
      return { status: null, retryAfter: null, id: null };
    }
  }
}
