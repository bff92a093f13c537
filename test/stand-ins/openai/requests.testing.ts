import type { StandIn } from './index.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON. */
  body: unknown;
}

/** For tests: asks for a transcription as any client would. */
export async function transcribe(
  { url, key }: Pick<StandIn, 'url' | 'key'>,
  file: Buffer | null,
  {
    name = 'piece.mp3',
    model = 'gpt-transcribe' as string | null,
    fields = [] as readonly (readonly [string, string])[],
    signal = null as AbortSignal | null,
  } = {},
): Promise<Answer> {
  const form = new FormData();
  if (file !== null) form.append('file', new Blob([new Uint8Array(file)]), name);
  if (model !== null) form.append('model', model);
  for (const [field, value] of fields) form.append(field, value);
  return answered(
    await fetch(`${url}/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
      signal,
    }),
  );
}

/** For tests: sends JSON. @param path below /v1 */
export async function post({ url, key }: Pick<StandIn, 'url' | 'key'>, path: string, body: unknown): Promise<Answer> {
  return answered(
    await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
}

export async function answered(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Not every answer is JSON, and a test may have asked for one that is broken.
  }
  return { status: response.status, headers: response.headers, body };
}
