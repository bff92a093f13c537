import type { AnalysisEngine, ReportType } from '@call-analytics/contracts';
import type { Clock } from '@call-analytics/service-kit';
import { type Analysis, type CorrectedField, type Correction, corrected, correctionOf, type Line } from './analysis.ts';
import type { Call, EarlierAnalysis, Idempotency } from './record.ts';
import type { CallReads, CallRecords } from './store.ts';
import type { Role, SpeakerRole, Transcript, Utterance } from './transcript.ts';
import { type Decision, isMissing, ofAccount, toAnalysis, writeGuarded } from './transitions.ts';
import { misheardInLines, packedTimes, wordsOfLines } from './word-times.ts';

// How the report of a completed call changes: people correct its speakers or answers, or have it analyzed again.

export const MAX_EARLIER_ANALYSES = 20;

/** How a call is to be analyzed. */
type Asked = Pick<Call, 'reportType' | 'analysisEngine'>;

type Store = Pick<CallRecords & CallReads, 'get' | 'update' | 'detail' | 'transcript'>;

/** What people change in completed calls: a part of `Calls`. */
export class Corrections {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * A person says who is who in a completed call: it is analyzed again from its transcript.
   * @returns the call after the write (as it is, when nothing changes), why it is refused, or null when the account has
   * no such call
   */
  async setSpeakers(
    accountId: string,
    callId: string,
    roles: readonly SpeakerRole[],
  ): Promise<{ call: Call } | { refused: 'not completed' | 'other speakers' } | null> {
    const known = await this.#store.detail(accountId, callId);
    if (known === null) return null;
    const transcript = await this.#store.transcript(callId);
    if (known.call.status !== 'completed' || known.analysis === null || transcript === null)
      return { refused: 'not completed' };
    const labeled = withRoles(transcript, known.analysis.lines, roles);
    if (labeled === null) return { refused: 'other speakers' };
    if (hasRoles(known.analysis, roles)) return { call: known.call };
    return this.#analyzeAgain(known.call, known.analysis, labeled);
  }

  /**
   * Analyzes a completed call again, from its transcript.
   * @param asked.reportType null for the one that it has
   * @param asked.engine null for that of the installation
   * @param key of the request: the same request with the same key is done once
   * @returns the call after the write, why it is refused, or null when the account has no such call
   */
  async analyzeAgain(
    accountId: string,
    callId: string,
    { reportType = null, engine = null }: { reportType?: ReportType | null; engine?: AnalysisEngine | null } = {},
    key: string | null = null,
  ): Promise<{ call: Call; isReplay: boolean } | { refused: 'not completed' | 'other request' } | null> {
    const fingerprint = [reportType ?? '', engine ?? []].flat().join(' ');
    const request = key === null ? undefined : { key, fingerprint };
    const known = await this.#store.detail(accountId, callId);
    if (known === null) return null;
    const replay = replayOf(known.call, request);
    if (replay !== null) return replay;
    const transcript = await this.#store.transcript(callId);
    if (known.call.status !== 'completed' || known.analysis === null || transcript === null)
      return { refused: 'not completed' };
    const asked = { reportType: reportType ?? known.call.reportType, analysisEngine: engine };
    const result = await this.#analyzeAgain(known.call, known.analysis, transcript, asked, request);
    if (result === null) return null;
    if ('call' in result) return { ...result, isReplay: false };
    // The same request may have been faster.
    const latest = await this.#store.get(callId);
    return (latest && replayOf(latest, request)) ?? result;
  }

  async #analyzeAgain(
    call: Call,
    replaced: Analysis,
    transcript: Transcript,
    asked: Asked = { reportType: call.reportType, analysisEngine: null },
    request?: Idempotency,
  ) {
    const decide = (latest: Call) =>
      analyzeAgain(latest, call.attempt, replaced, transcript, asked, this.#clock.now(), request);
    const result = await writeGuarded(this.#store, call.id, decide, call);
    if ('call' in result) return result;
    return isMissing(result) || result.refused === 'removed' ? null : { refused: 'not completed' as const };
  }

  /**
   * A person says what an answer of the report should be; null takes that back.
   * @returns the corrections of the call, why it is refused, or null when the account has no such call
   */
  async correctAnswer(
    accountId: string,
    callId: string,
    field: CorrectedField,
    value: Correction['value'] | null,
    by: string,
  ): Promise<{ corrections: readonly Correction[] } | { refused: 'not completed' | 'not in the report' } | null> {
    const known = await this.#store.detail(accountId, callId);
    if (known === null) return null;
    const { analysis, call } = known;
    if (call.status !== 'completed' || analysis === null) return { refused: 'not completed' };
    const at = this.#clock.now().toISOString();
    const correction = value === null ? [] : correctionOf(analysis, { field, value, by, at });
    if (correction === null) return { refused: 'not in the report' };
    const decide = (latest: Call) => {
      const others = latest.corrections.filter((each) => each.field !== field);
      return correctAnswers(latest, call.attempt, analysis, others.concat(correction));
    };
    const result = await writeGuarded(this.#store, callId, ofAccount(accountId, decide), call);
    if ('call' in result) return { corrections: result.call.corrections };
    return isMissing(result) || result.refused === 'removed' ? null : { refused: 'not completed' };
  }
}

/** @returns what is kept of an analysis that is replaced */
export function earlierOf(
  { engine, product, saleStatus, score, scorecard }: Analysis,
  made: Pick<EarlierAnalysis, 'at' | 'reportType'>,
): EarlierAnalysis {
  return { ...made, engine, product, saleStatus, score, ...(scorecard && { scorecard: scorecard.version }) };
}

/** @returns the answer to a request that was made before, while the analysis it replaced is kept; otherwise null */
function replayOf(call: Call, request: Idempotency | undefined) {
  const earlier = call.earlierAnalyses.find((each) => request !== undefined && each.request?.key === request.key);
  if (earlier === undefined) return null;
  const isSame = earlier.request?.fingerprint === request?.fingerprint;
  return isSame ? { call, isReplay: true } : { refused: 'other request' as const };
}

/**
 * A completed call is analyzed again, from a transcript whose speakers a person may have corrected.
 * @param replaced the analysis of this call, made by this attempt
 */
export function analyzeAgain(
  call: Call,
  attempt: number,
  replaced: Analysis,
  transcript: Transcript,
  asked: Asked,
  now: Date,
  request?: Idempotency,
): Decision {
  if (call.removal !== null) return { refused: 'removed' };
  if (call.status !== 'completed' || call.attempt !== attempt) return { refused: 'not completed' };
  const made = earlierOf(replaced, { at: call.updatedAt.toISOString(), reportType: call.reportType });
  const earlier = { ...made, ...(request && { request }) };
  const earlierAnalyses = [...call.earlierAnalyses, earlier].slice(-MAX_EARLIER_ANALYSES);
  const cleared = { product: null, saleStatus: null, score: null };
  return toAnalysis(call, transcript, now, { ...cleared, earlierAnalyses, ...asked });
}

/**
 * People correct answers of a completed call. `updatedAt` stays, because it says when the call ended.
 * @param analysis of this call, made by this attempt
 */
function correctAnswers(call: Call, attempt: number, analysis: Analysis, corrections: readonly Correction[]): Decision {
  if (call.removal !== null) return { refused: 'removed' };
  if (call.status !== 'completed' || call.attempt !== attempt) return { refused: 'not completed' };
  const { product, saleStatus } = corrected(analysis, corrections);
  return { write: { change: { product, saleStatus, corrections }, events: [], durable: true } };
}

// Who is who in a call, as a person corrects it.

interface CallSpeaker extends SpeakerRole {
  words: number;
  /** What they say first, to recognize them by. */
  firstWords: string;
}

const BY_ROLE: Readonly<Record<Role, number>> = { manager: 0, customer: 1, other: 2 };
const SHOWN_WORDS = 20;

/**
 * @param lines of the analysis: where the transcript has no speakers, each role is one
 * @returns the speakers in order of their numbers
 */
export function speakersOf(transcript: Transcript, lines: readonly Line[]): CallSpeaker[] {
  return [...Map.groupBy(withSpeakers(transcript, lines), ({ speaker }) => speaker)]
    .map(([speaker, own]) => {
      const words = own.flatMap(({ text }) => text.split(/\s+/).filter(Boolean));
      const firstWords = words.slice(0, SHOWN_WORDS).join(' ');
      return { speaker, role: own[0]?.role ?? 'other', words: words.length, firstWords };
    })
    .sort((a, b) => a.speaker - b.speaker);
}

/**
 * The transcript with the roles that a person gave to its speakers. Where it had no speakers, its utterances become the
 * lines of the analysis, so that the correction stays what was seen.
 * @returns null when the roles are not those of exactly the call's speakers
 */
function withRoles(transcript: Transcript, lines: readonly Line[], roles: readonly SpeakerRole[]): Transcript | null {
  const numbers = (of: readonly SpeakerRole[]) => of.map(({ speaker }) => speaker).sort((a, b) => a - b);
  if (String(numbers(roles)) !== String(numbers(speakersOf(transcript, lines)))) return null;
  const corrected = { ...transcript, roles: [...roles] };
  if (areToldApart(transcript)) return corrected;
  const words = wordsOfLines(transcript.utterances, lines);
  const misheard = misheardInLines(transcript.utterances, lines);
  const utterances = withSpeakers(transcript, lines).map(({ role, ...utterance }, index): Utterance => {
    const times = packedTimes(words[index] ?? [], utterance.startMs);
    const own = misheard[index] ?? [];
    return { ...utterance, ...(times !== undefined && { words: times }), ...(own.length > 0 && { misheard: own }) };
  });
  return { ...corrected, utterances, speakersBy: 'person' };
}

/** @returns whether the analysis was made with these roles of a person */
function hasRoles({ rolesBy, lines }: Analysis, roles: readonly SpeakerRole[]): boolean {
  const wanted = new Map(roles.map(({ speaker, role }) => [speaker, role]));
  return rolesBy === 'person' && lines.every((line) => wanted.get(line.speaker ?? -1) === line.role);
}

/** The lines with speakers: those of the transcript, or else one for each role. */
function withSpeakers(transcript: Transcript, lines: readonly Line[]): (Line & { speaker: number })[] {
  const isKnown = areToldApart(transcript);
  return lines.map((line) => ({ ...line, speaker: isKnown ? (line.speaker ?? 0) : BY_ROLE[line.role] }));
}

function areToldApart({ utterances }: Transcript): boolean {
  return (
    new Set(utterances.map(({ speaker }) => speaker)).size > 1 && utterances.every(({ speaker }) => speaker !== null)
  );
}
