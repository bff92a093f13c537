export {
  type Analysis,
  type CorrectedField,
  type Correction,
  type CustomerQuestion,
  corrected,
  type Finding,
  type JudgedQuestion,
  type Line,
  type NextStep,
  type Proof,
  type ReportSectionContent,
} from './analysis.ts';
export * from './calls.ts';
export { earlierOf, MAX_EARLIER_ANALYSES, speakersOf } from './corrections.ts';
export { ENGINE_GONE, isRetryable, NOTHING_KEPT, waitingMessage } from './failures.ts';
export { daysOf } from './overview.ts';
export * from './queues.ts';
export * from './record.ts';
export * from './scorecard.ts';
export { APOSTROPHES, HESITATION, KEEPS_APOSTROPHE } from './search.ts';
export * from './settings.ts';
export * from './spending.ts';
export { type CopiedCalls, copiedCalls, copyDatabase } from './sqlite/copy.ts';
export { openSqliteCallStore } from './sqlite/store.ts';
export * from './store.ts';
export { TrackerMatcher } from './tracker-match.ts';
export * from './trackers.ts';
export * from './transcript.ts';
export { type Misheard, misheardInLines, packedTimes, timedWords, withText, wordsOfLines } from './word-times.ts';
