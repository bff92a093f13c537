import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  /** The parameters of the request, by name. */
  fields: Record<string, string[]>;
  seconds: number;
}

/** What a self-hosted server answers; null leaves the request without an answer. */
export type Answering = (asked: Asked, number: number) => { status?: number; body: unknown } | null;

/** An OpenAI-compatible server whose answers a test decides, as self-hosted ones give them. */
export async function startSpeechServer(
  answering: Answering,
): Promise<{ url: string; asked: Asked[]; close(): Promise<void> }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const form = await new Response(Buffer.concat(chunks), { headers }).formData();
    const fields: Record<string, string[]> = {};
    for (const [name, value] of form) {
      if (typeof value === 'string') fields[name] = [...(fields[name] ?? []), value];
    }
    const file = form.get('file');
    const bytes = file instanceof Blob ? file.size : 0;
    // 48 kbit/s.
    asked.push({ fields, seconds: bytes / 6_000 });
    const answer = answering(asked.at(-1) as Asked, asked.length);
    if (answer === null) return;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
