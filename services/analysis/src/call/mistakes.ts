import type { Line } from '@call-analytics/calls';
import type { Numbers } from './numbers.ts';
import type { Evidence, Observations } from './observations.ts';

/** Words in one go of the manager beyond which it is a speech: about a minute and a half at 150 words a minute. */
const SPEECH_WORDS = 220;
const INTERRUPTIONS = 3;
/** A "yes" or "okay" of the customer does not end a speech. Words. */
const BACKCHANNEL = 3;

type Found = Observations['mistakes'][number];

/**
 * The mistakes that are counted, not judged: the same for each engine.
 * @param said the mistakes an engine found in words
 */
export function countedMistakes(
  lines: readonly Line[],
  numbers: Numbers,
  said: readonly Found[],
  { checks, nextStep, saleStatus }: Pick<Observations, 'checks' | 'nextStep' | 'saleStatus'>,
): Found[] {
  const found: Found[] = [];
  if (!said.some(({ kind }) => kind === 'interrupting') && (numbers.interruptions ?? 0) >= INTERRUPTIONS) {
    found.push({ kind: 'interrupting', text: `${numbers.interruptions} times.`, evidence: null });
  }
  const speech = longestSpeech(lines);
  if (speech.words > SPEECH_WORDS) {
    found.push({
      kind: 'monologue',
      text: `${speech.words} words without a break.`,
      evidence: opening(lines, speech.first),
    });
  }
  if (checks.asked_situation === null && checks.named_offer !== null) {
    found.push({ kind: 'no_discovery', text: 'No question about the situation or need.', evidence: null });
  }
  if (nextStep === null && (saleStatus === 'unclear' || saleStatus === 'follow_up')) {
    found.push({ kind: 'no_next_step', text: 'The call ends without one.', evidence: null });
  }
  return found;
}

function longestSpeech(lines: readonly Line[]): { words: number; first: number } {
  let longest = { words: 0, first: 0 };
  let current = { words: 0, first: 0 };
  lines.forEach(({ role, text }, index) => {
    const words = text.split(/\s+/).filter((word) => word !== '').length;
    if (role === 'manager') {
      if (current.words === 0) current.first = index;
      current.words += words;
      if (current.words > longest.words) longest = { ...current };
    } else if (words > BACKCHANNEL) current = { words: 0, first: 0 };
  });
  return longest;
}

/** The first words of a line, as a quote. */
function opening(lines: readonly Line[], line: number): Evidence {
  const quote = /^\s*((?:\S+\s+){0,11}\S+)/.exec(lines[line]?.text ?? '')?.[1] ?? '';
  return { quote, line };
}
