import { indexedWords, type SearchedAnalysis, searchedTexts } from '../search.ts';
import { bringsText, type CallChange, type Write } from '../store.ts';
import type { CallDocument } from './schema.ts';

/** The words of a call as its document holds them, written together with the texts that they come from. */
export type CallWords = Required<Pick<CallDocument, 'words' | 'wordSource'>>;

type Content = Pick<CallChange, 'transcript'> & { analysis?: SearchedAnalysis | null };

export function wordsOf(fileName: string, { transcript, analysis }: Content): CallWords {
  return {
    words: indexedWords(searchedTexts(fileName, { transcript: transcript ?? null, analysis: analysis ?? null })),
    wordSource: analysis != null ? 'analysis' : transcript === undefined ? 'name' : 'transcript',
  };
}

/** @returns the words of a call after a write that brings a transcript or an analysis; null after any other */
export function wordsAfter(write: Write, fileName: string): CallWords | null {
  return bringsText(write.change) ? wordsOf(fileName, write.change) : null;
}

/** The fields of a document that are searched. */
export const SEARCHED_FIELDS = {
  fileName: 1,
  version: 1,
  'analysis.product': 1,
  'analysis.summary': 1,
  'analysis.lines.text': 1,
  'transcript.utterances.text': 1,
} as const;
