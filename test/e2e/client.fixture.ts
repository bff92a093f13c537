import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { CallDetail, CallList, Progress } from '@call-analytics/contracts';
import { until } from '../until.fixture.ts';

/** A caller of the API. */
export class Client {
  /** Requests that are under way keep the one they were sent with. */
  key: string;
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

  async progress(id: string): Promise<Progress> {
    return (await (await this.fetch(`/calls/${id}/progress`)).json()) as Progress;
  }

  async calls(query = ''): Promise<CallList> {
    return (await (await this.fetch(`/calls${query}`)).json()) as CallList;
  }

  /** Polls until the call is completed or failed. */
  finished(id: string, withinMs = 60_000): Promise<CallDetail> {
    return until(
      () => this.call(id),
      ({ status }) => status === 'completed' || status === 'failed',
      withinMs,
    );
  }
}
