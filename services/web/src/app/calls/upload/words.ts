import { LOCALE, texts } from '../../texts/texts.ts';
import { shownBytes } from './format.ts';
import type { Refusal } from './upload.ts';

const words = texts.calls.upload;

/** Why a file did not become a call, and what to do. @param bytes of the file */
export function wordsForRefusal(refusal: Refusal, bytes: number): string {
  if (refusal.why === 'too-large') return tooLarge(bytes, refusal.maxBytes);
  if (refusal.why === 'answered') return refusal.detail || words.noWords(refusal.status);
  return words[refusal.why];
}

/** Names both sizes in bytes when they look the same in larger units. */
function tooLarge(bytes: number, maxBytes: number): string {
  const [size, limit] = [shownBytes(bytes), shownBytes(maxBytes)];
  if (size !== limit) return words.tooLarge(size, limit);
  return words.tooLarge(words.bytes(bytes.toLocaleString(LOCALE)), words.bytes(maxBytes.toLocaleString(LOCALE)));
}
