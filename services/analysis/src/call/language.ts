import type { Transcript } from '@call-analytics/calls';
import { wordsOf } from '../rules/patterns.ts';

/** The most common words of spoken English: about half of an English conversation, and rare in other languages. */
const COMMON = new Set(
  `the a an i you we he she it they is are was were am be have has had do does did not and or but so to of in on at
  for with that this what how when yes no okay thank thanks hello hi my your our can will would just like know if
  about me us there get got one all good right well please`
    .trim()
    .split(/\s+/),
);
const SHARE = 0.25;
/** Words that are read for this decision. */
const SAMPLE = 2_000;

/** Decides by the words, because some speech engines report "en" without detection. */
export function isEnglish(transcript: Transcript): boolean {
  const sample: string[] = [];
  for (const { text } of transcript.utterances) {
    if (sample.length > SAMPLE) break;
    for (const word of wordsOf(text.slice(0, 20_000))) sample.push(word.text);
  }
  if (sample.length === 0) return false;
  const common = sample.filter((word) => COMMON.has(word)).length / sample.length;
  const said = transcript.language?.toLowerCase().split('-')[0];
  // Few words prove little, so the language of the speech engine decides.
  if (sample.length < 10) return said === undefined ? common >= SHARE : said === 'en';
  return common >= SHARE;
}
