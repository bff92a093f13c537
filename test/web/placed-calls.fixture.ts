import { join } from 'node:path';
import { type Analysis, type Call, type CallChange, openSqliteCallStore, type Transcript } from '@call-analytics/calls';
import { REPORT_SECTIONS, type Session } from '@call-analytics/contracts';
import type { WebInstallation } from './installation.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

/** A call as it would be after its work: what is left out is ordinary. */
export interface PlacedCall
  extends Partial<
    Pick<Call, 'fileName' | 'status' | 'product' | 'saleStatus' | 'score' | 'failure' | 'createdAt' | 'reportType'>
  > {
  analysis?: Partial<Analysis>;
  transcript?: Transcript;
}

/**
 * Puts calls into the store of a running installation, as they would be if they had been worked on: with whatever an
 * engine may say.
 * @returns their ids
 */
export async function placeCalls(
  web: WebInstallation,
  visitor: Visitor,
  placed: readonly PlacedCall[],
): Promise<string[]> {
  // With the browser's cookies, and not by the page: that may still be on its way from another one.
  const session = await visitor.page.request.get(`${web.url}/app/session`);
  const accountId = ((await session.json()) as Session).account.id;
  const store = openSqliteCallStore({ file: join(web.installation.dataDir, 'calls.sqlite') });
  const ids: string[] = [];
  for (const [index, { analysis, transcript, ...given }] of placed.entries()) {
    const call = callOf(accountId, `call_placed${Date.now()}x${index}`, given);
    await store.insert(call, [], null);
    const change: CallChange =
      call.status === 'completed'
        ? {
            status: 'completed',
            ...(transcript && { transcript }),
            analysis: { ...ANALYSIS, product: call.product, ...analysis },
          }
        : {};
    await store.update(call.id, call.version, { change, events: [], durable: false });
    ids.push(call.id);
  }
  await store.close();
  return ids;
}

/** So far off that nobody takes the call from who has it: its work stands still. */
const NEVER = new Date('2100-01-01T00:00:00Z');

function callOf(accountId: string, id: string, { createdAt = new Date(), ...given }: Partial<Call>): Call {
  const status = given.status ?? 'completed';
  const isFinished = status === 'completed' || status === 'failed';

  return {
    id,
    accountId,
    fileName: 'call.mp3',
    reportType: 'detailed',
    status,
    stage: isFinished ? null : status === 'analyzing' ? 'analysis' : 'transcription',
    version: 1,
    audio: {
      key: id,
      bytes: 1_000,
      format: 'mp3',
      seconds: 60,
      secondsDone: 0,
      deleteAfter: null,
      deletedAt: createdAt,
    },
    attempt: 1,
    failures: 0,
    lease: isFinished ? null : { worker: 'nobody', since: createdAt, until: NEVER },
    grantedUntil: null,
    nextAttemptAt: null,
    readySince: createdAt,
    waiting: null,
    retries: 0,
    lastFailure: null,
    failure: null,
    removal: null,
    language: 'en',
    product: null,
    saleStatus: status === 'completed' ? 'unclear' : null,
    score: status === 'completed' ? 50 : null,
    analysisEngine: null,
    earlierAnalyses: [],
    corrections: [],
    traceparent: null,
    createdAt,
    updatedAt: createdAt,
    ...given,
  };
}

const ANALYSIS: Analysis = {
  engine: { name: 'x', model: 'y' },
  language: 'en',
  lines: [
    { role: 'manager', speaker: 0, startMs: 0, endMs: 1, text: 'Good morning.' },
    { role: 'customer', speaker: 1, startMs: 1, endMs: 2, text: 'Good morning to you.' },
  ],
  rolesBy: 'channels',
  rolesConfidence: 1,
  product: null,
  customerIntent: null,
  nextStep: null,
  saleStatus: 'unclear',
  summary: 'A short call.',
  positives: [],
  issues: [],
  objections: [],
  managerMistakes: [],
  recommendations: [],
  score: 50,
  rubric: [],
  numbers: {},
  sections: REPORT_SECTIONS.map((id) => ({ id, title: id, content: '', points: [] })),
};
