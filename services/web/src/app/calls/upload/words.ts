import { texts } from '../../texts/texts.ts';
import { shownBytes } from './format.ts';
import type { Refusal } from './upload.ts';

const words = texts.calls.upload;

/** Why a file did not become a call, and what to do. @param bytes of the file */
export function wordsForRefusal(refusal: Refusal, bytes: number): string {
  if (refusal.why === 'too-large') return words.tooLarge(shownBytes(bytes), shownBytes(refusal.maxBytes));
  if (refusal.why === 'answered') return refusal.detail || words.noWords(refusal.status);
  return words[refusal.why];
}
