import type { Transcript } from '@call-analytics/calls';
import { wordsOf } from './words.ts';

/** The commonest words of spoken English: about half of any English conversation, hardly any of another language. */
const COMMON = new Set(
  `the a an i you we he she it they is are was were am be have has had do does did not and or but so to of in on at for with that this what how when
  yes no okay thank thanks hello hi my your our can will would just like know if about me us there there get got one all good right well please`
    .trim()
    .split(/\s+/),
);
const SHARE = 0.25;
/** Enough to tell; the rest of a long call is not read for it. */
const SAMPLE = 2_000;

/**
 * @returns what language this engine takes the call to be: `en`, or the transcript's own word for it, or null. The words decide: engines say "en" for what they
 * did not look at.
 */
export function isEnglish(transcript: Transcript): boolean {
  const sample: string[] = [];
  for (const { text } of transcript.utterances) {
    if (sample.length > SAMPLE) break;
    for (const word of wordsOf(text.slice(0, 20_000))) sample.push(word.text);
  }
  if (sample.length === 0) return false;
  const common = sample.filter((word) => COMMON.has(word)).length / sample.length;
  const said = transcript.language?.toLowerCase().split('-')[0];
  // A few words prove little: then what the speech engine says decides.
  if (sample.length < 10) return said === undefined ? common >= SHARE : said === 'en';
  return common >= SHARE;
}
