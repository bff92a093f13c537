import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallDetail, CallList } from '@call-analytics/contracts';

/** A caller of the API. */
export class Client {
  readonly key: string;
  readonly #url: () => string;

  constructor(url: () => string, key: string) {
    this.#url = url;
    this.key = key;
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.#url()}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${this.key}`, ...init.headers },
    });
  }

  async upload(
    file: string,
    {
      reportType,
      headers = {},
      name = basename(file),
    }: { reportType?: string; headers?: Record<string, string>; name?: string } = {},
  ) {
    const form = new FormData();
    if (reportType !== undefined) form.set('reportType', reportType);
    form.set('file', await openAsBlob(file), name);
    return this.fetch('/calls', { method: 'POST', body: form, headers });
  }

  /** @returns the id of an accepted upload */
  async uploaded(file: string, options: Parameters<Client['upload']>[1] = {}): Promise<string> {
    const response = await this.upload(file, options);
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    return ((await response.json()) as { id: string }).id;
  }

  async call(id: string): Promise<CallDetail> {
    return (await (await this.fetch(`/calls/${id}`)).json()) as CallDetail;
  }

  async calls(query = ''): Promise<CallList> {
    return (await (await this.fetch(`/calls${query}`)).json()) as CallList;
  }

  /** Polls until the call is completed or failed. */
  async finished(id: string, withinMs = 60_000): Promise<CallDetail> {
    const until = Date.now() + withinMs;
    for (;;) {
      const call = await this.call(id);
      if (call.status === 'completed' || call.status === 'failed') return call;
      if (Date.now() > until) throw new Error(`call ${id} is still ${call.status}`);
      await delay(20);
    }
  }
}

/** Waits until `condition` holds. For states that have no event to wait for from outside. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 30_000,
): Promise<void> {
  const until = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > until) throw new Error(`still not: ${what}`);
    await delay(20);
  }
}
