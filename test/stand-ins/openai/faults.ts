export type Endpoint = 'transcriptions' | 'chat' | 'responses' | 'models';

/** What may go wrong with one request, as a client sees it. */
export type Effect =
  /** 429 that waiting cures. */
  | { kind: 'rate-limit'; retryAfterSeconds?: number }
  /** 429 that no waiting cures. */
  | { kind: 'quota' }
  | { kind: 'server-error'; status?: 500 | 502 | 503 | 504 }
  /** Any error of the API, word for word. */
  | { kind: 'error'; status: number; body: unknown; headers?: Record<string, string> }
  /** The whole answer, later. */
  | { kind: 'delay'; ms: number }
  /** No answer, ever. */
  | { kind: 'hang' }
  /** The connection ends before an answer. */
  | { kind: 'hang-up' }
  /** The connection ends in the middle of the answer. */
  | { kind: 'cut' }
  /** Half of the answer, and then nothing more. */
  | { kind: 'stall' }
  /** 200 with a body that is not JSON. */
  | { kind: 'not-json' }
  /** Another text than was spoken, as models make up on noise or repeat. */
  | { kind: 'words'; text: string }
  /** What a text model may do: decline, stop at its token limit, break its JSON, or fill in another schema. */
  | { kind: 'refusal' }
  | { kind: 'length' }
  | { kind: 'invalid-json' }
  | { kind: 'wrong-schema' };

/** Which requests, and what happens to them. All conditions must hold; without any it is every request. */
export interface Fault {
  endpoint?: Endpoint;
  model?: string;
  /** Counted from 1 among the requests that meet the other conditions. */
  nth?: number | readonly number[];
  /** Words that occur in what is spoken, or in the messages; or the SHA-256 of the file or body in hex. */
  content?: string;
  do: Effect;
}

export interface FaultSubject {
  endpoint: Endpoint;
  model: string | null;
  hash: string;
  /** Asked for only when a fault needs it. */
  text(): Promise<string>;
}

const seen = new WeakMap<Fault, number>();

/** @returns what happens to this request: the first fault in the list that is about it; null when none is. Counts it for `nth`. */
export async function effectOf(faults: readonly Fault[], subject: FaultSubject): Promise<Effect | null> {
  let effect: Effect | null = null;
  for (const fault of [...faults]) {
    if (!(await isAbout(fault, subject))) continue;
    const count = (seen.get(fault) ?? 0) + 1;
    seen.set(fault, count);
    if (fault.nth !== undefined && ![fault.nth].flat().includes(count)) continue;
    effect ??= fault.do;
  }
  return effect;
}

async function isAbout({ endpoint, model, content }: Fault, subject: FaultSubject): Promise<boolean> {
  if (endpoint !== undefined && endpoint !== subject.endpoint) return false;
  if (model !== undefined && model !== subject.model) return false;
  return content === undefined || content === subject.hash || (await subject.text()).includes(content);
}
