import { type Analysis, type Call, type CallStore, Calls } from '@call-analytics/calls';
import { seeded } from '../../audio/wave.ts';
import { SAMPLE_ANALYSIS } from './sample.ts';

/** Calls of five minutes with different words: each of 20,000 is as frequent as in speech, by Zipf's law. */
const VOCABULARY = 20_000;
const LINES = 60;
const WORDS_PER_LINE = 12;
const WRITERS = 8;

/** A word that occurs in nearly every call, two words together, one in some calls, and one in the file names alone. */
export const SPOKEN = { common: word(0), alsoCommon: word(1), rare: word(12_345) } as const;

/** Writes finished calls through the store, as workers do, with texts and words. @returns how long that took, in ms */
export async function seedSpokenCalls(
  store: CallStore,
  { accountId, count }: { accountId: string; count: number },
): Promise<number> {
  const began = performance.now();
  let written = 0;
  const writer = async () => {
    while (written < count) {
      written += 1;
      await finish(store, accountId, written);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return performance.now() - began;
}

async function finish(store: CallStore, accountId: string, n: number): Promise<void> {
  const audio = { key: `${accountId}-${n}`, bytes: 4_800_000, format: 'mp3', seconds: 300 } as const;
  const { call } = await new Calls(store).accept({
    accountId,
    fileName: `Customer ${n}.mp3`,
    reportType: 'medium',
    audio,
  });
  await store.update(call.id, call.version, { change: resultOf(n), events: [], durable: false }, call);
}

function resultOf(n: number): Pick<Call, 'status' | 'stage' | 'score'> & { analysis: Analysis } {
  const random = seeded(n);
  const spoken = () => word(Math.floor(VOCABULARY ** random()) - 1);
  const lines = SAMPLE_ANALYSIS.lines
    .slice(0, LINES)
    .map((line) => ({ ...line, text: Array.from({ length: WORDS_PER_LINE }, spoken).join(' ') }));
  return { status: 'completed', stage: null, score: n % 100, analysis: { ...SAMPLE_ANALYSIS, lines } };
}

/** The nth most frequent word: pronounceable, and no word begins with another. */
function word(n: number): string {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu'];
  return [...String(n).padStart(5, '0')]
    .reverse()
    .map((digit) => syllables[Number(digit)])
    .join('');
}
