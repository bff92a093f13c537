import type { Segment as TranscribedSegment } from '@call-analytics/calls';
import { point, WorkError } from '@call-analytics/service-kit';
import { assertLeaseHeld, retryWrite, type StageWork } from '@call-analytics/worker';
import { BoundedConcurrency } from './bounded-concurrency.ts';
import type { EngineAnswer, SpeechEngine } from './engines/engine.ts';
import { baseOf, CallLanguage, isForeign, tellsLanguage } from './engines/language.ts';
import { fitTimes, type TimedText } from './join/fit-times.ts';
import type { SegmentResult } from './join/join.ts';
import { answerWithin, asNeighbor, type Pack, type Place, packOf } from './pack.ts';
import { SAMPLE_RATE } from './plan/frames.ts';
import { type AudioSegment, PLAN_VERSION } from './plan/planner.ts';
import type { TranscribeParts } from './transcribe-call.ts';

/** A longer segment that times out fails the attempt. */
const GIVEN_UP_MS = 10_000;
/** Below this mean logarithm of the probability, the engine may have been told the wrong language. */
const DOUBTFUL = -0.8;

/** Speech of this length without an answer is sent once more. */
const LEAST_ASKED_AGAIN_MS = 1_000;
/** So much audio is sent once more: this, or this share of all. */
const MOST_ASKED_AGAIN = { ms: 30_000, share: 0.05 };
/** Bounds the memory of segments that wait for that. */
const MOST_EMPTY = 30;
/** Short segments that wait for the language of the call, in ms of speech: bounds the memory they take. */
const MOST_WAITING_MS = 120_000;

export interface Transcribed {
  results: SegmentResult[];
  /** ISO 639-1; null when the engine does not say. */
  language: string | null;
}

/**
 * Transcribes the segments of one call: a few in parallel, each saved when it is answered. Short ones wait until the
 * long ones have settled the language of the call.
 */
export class SegmentTranscription {
  readonly #work: StageWork;
  readonly #parts: TranscribeParts;
  readonly #language: CallLanguage;
  readonly #saved: ReadonlyMap<string, TranscribedSegment>;
  readonly #tasks: BoundedConcurrency;
  readonly #results: SegmentResult[] = [];
  #waiting: AudioSegment[] = [];
  /** Answered before the language was settled. */
  #unsettled: { segment: AudioSegment; entry: SegmentResult }[] = [];
  /** Answered with nothing although there is speech. */
  #empty: { place: Place; entry: SegmentResult }[] = [];
  readonly #lastPlaces = new Map<number | null, Place>();
  #sentMs = 0;
  /** Whether the engine gives times. */
  #timed = false;

  /** @param saved results of earlier attempts */
  constructor(work: StageWork, parts: TranscribeParts, saved: readonly TranscribedSegment[]) {
    this.#work = work;
    this.#parts = parts;
    this.#language = new CallLanguage(parts.languages);
    this.#saved = new Map(saved.map((segment) => [segment.key, segment]));
    this.#tasks = new BoundedConcurrency(Math.min(parts.segmentConcurrency, parts.engine.limits.concurrency));
  }

  /** Waits for a free place. @throws WorkError, LeaseLost, or the reason of the signal, of this segment or others */
  async add(segment: AudioSegment): Promise<void> {
    if (this.#language.waits(segment.speechMs)) {
      this.#waiting.push(segment);
      if (this.#waiting.reduce((sum, { speechMs }) => sum + speechMs, 0) < MOST_WAITING_MS) return;
      return await this.#releaseWaiting();
    }
    if (this.#language.settled !== null) await this.#releaseWaiting();
    await this.#start(segment);
  }

  /** Transcribes what waits, and asks again where the language was guessed wrongly. @throws as add() does */
  async finish(): Promise<Transcribed> {
    await this.#releaseWaiting();
    await this.#tasks.finish();
    this.#language.conclude();
    const { settled } = this.#language;
    const guessed = this.#unsettled.filter(({ entry }) => settled !== null && isGuessedWrong(entry.result, settled));
    for (const { segment, entry } of guessed) {
      await this.#tasks.start(async () => {
        entry.result = await this.#transcribe(segment, `${entry.result.key}:${settled}`, entry.result);
      });
    }
    await this.#tasks.finish();
    let leftMs = Math.max(MOST_ASKED_AGAIN.ms, MOST_ASKED_AGAIN.share * this.#sentMs);
    for (const { place, entry } of this.#empty) {
      const pack = packOf(place, this.#timed);
      leftMs -= (pack.samples.length * 1000) / SAMPLE_RATE;
      if (leftMs < 0) break;
      await this.#tasks.start(async () => {
        const again = await this.#transcribe(place.segment, `${entry.result.key}:again`, null, pack);
        if (again.utterances.length > 0) entry.result = again;
      });
    }
    await this.#tasks.finish();
    return { results: this.#results, language: settled };
  }

  /** Waits for the requests in flight and ignores their failures. */
  async settle(): Promise<void> {
    await this.#tasks.settle();
  }

  /** Without a long segment, the longest of the short ones decides the language. */
  async #releaseWaiting(): Promise<void> {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    if (this.#language.settled === null) {
      await this.#tasks.finish();
      this.#language.conclude();
    }
    if (this.#language.settled === null) {
      const longest = waiting.reduce((a, b) => (b.speechMs > a.speechMs ? b : a));
      waiting.splice(waiting.indexOf(longest), 1);
      await this.#start(longest);
      await this.#tasks.finish();
      this.#language.conclude();
    }
    for (const segment of waiting) await this.#start(segment);
  }

  #start(segment: AudioSegment): Promise<void> {
    const place = this.#placeOf(segment);
    this.#sentMs += segment.endMs - segment.startMs;
    return this.#tasks.start(async () => {
      const { samples, ...plan } = segment;
      const { settled } = this.#language;
      const result = await this.#transcribe(segment, keyOf(segment, this.#parts.engine), null);
      const entry = { plan, result };
      this.#results.push(entry);
      const isEmpty = result.utterances.length === 0 && result.unanswered === undefined;
      if (isEmpty && segment.speechMs >= LEAST_ASKED_AGAIN_MS && this.#empty.length < MOST_EMPTY)
        this.#empty.push({ place, entry });
      if (settled !== null) return;
      const text = result.utterances.map((utterance) => utterance.text).join(' ');
      this.#language.heard(result.language, text, segment.speechMs);
      if (result.language !== null) this.#unsettled.push({ segment, entry });
    });
  }

  #placeOf(segment: AudioSegment): Place {
    const before = this.#lastPlaces.get(segment.channel);
    const place: Place = { segment, before: asNeighbor(before?.segment), after: null };
    if (before !== undefined) before.after = asNeighbor(segment);
    this.#lastPlaces.set(segment.channel, place);
    return place;
  }

  /**
   * @param guess an earlier answer without the language, kept as evidence that a second language is spoken
   * @param pack what to send instead of the segment alone
   */
  async #transcribe(
    segment: AudioSegment,
    key: string,
    guess: TranscribedSegment | null,
    pack: Pack | null = null,
  ): Promise<TranscribedSegment> {
    const saved = this.#saved.get(key);
    if (saved !== undefined) return saved;
    const { call, lease, signal } = this.#work;
    const { calls } = this.#parts;
    signal.throwIfAborted();
    const told = this.#language.settled;
    const whole = await this.#ask(pack === null ? segment : { ...segment, ...pack }, this.#language.told);
    const answer = whole === null || pack === null ? whole : answerWithin(whole, pack, segment);
    if (answer?.utterances !== undefined) this.#timed = true;
    await point('segment.transcribed', call.id);
    const other = guess === null ? await this.#otherLanguage(segment, answer, told) : evidenceOf(guess);
    const result = resultOf(segment, key, answer, told);
    const allowed = this.#parts.languages;
    if (other != null && (allowed.length === 0 || allowed.includes(baseOf(other.language)))) result.other = other;
    assertLeaseHeld(await retryWrite(() => calls.saveSegment(lease, result), signal));
    assertLeaseHeld(await retryWrite(() => calls.clearWaiting(lease), signal));
    return result;
  }

  /** @returns null when the engine did not answer in time although it answered other requests meanwhile */
  async #ask(segment: AudioSegment, languages: readonly string[]): Promise<EngineAnswer | null> {
    const { channel, startMs, endMs } = segment;
    const { signal, log } = this.#work;
    const { engine, metrics } = this.#parts;
    const began = new Date();
    try {
      const answer = await engine.transcribe(segment, { signal, languages });
      countUsage(segment, answer, engine, metrics);
      log.debug({ startMs, endMs, channel, ms: Date.now() - began.getTime() }, 'segment transcribed');
      return answer;
    } catch (error) {
      const answersOthers = (engine.health?.answeredAt?.getTime() ?? 0) > began.getTime();
      const tooSlow = error instanceof WorkError && TOO_SLOW.includes(error.failure.code);
      if (!tooSlow || !answersOthers || endMs - startMs > GIVEN_UP_MS) throw error;
      log.warn({ startMs, endMs, channel }, 'gave up a short segment: the speech engine did not answer in time');
      return null;
    }
  }

  /** Asks once more without the language where a long segment fits it badly: the caller may speak another one. */
  async #otherLanguage(
    segment: AudioSegment,
    answer: EngineAnswer | null,
    told: string | null,
  ): Promise<TranscribedSegment['other'] | null> {
    if (told === null || answer === null || !tellsLanguage(segment.speechMs)) return null;
    // An engine that takes the language as a hint says what it heard.
    const heard = answer.language === null ? told : baseOf(answer.language);
    if (heard !== told) return evidenceOf(resultOf(segment, '', answer, null));
    const { languages } = this.#parts;
    const doubtful = isForeign(answer.text, told) || (answer.confidence ?? 0) < DOUBTFUL;
    if (!doubtful || languages.length === 1) return null;
    const free = await this.#ask(segment, languages);
    return free === null ? null : evidenceOf(resultOf(segment, '', free, null));
  }
}

/** @returns whether a segment that was sent before the language was settled was heard as another one */
function isGuessedWrong({ language, utterances }: TranscribedSegment, settled: string): boolean {
  if (utterances.length === 0) return false;
  return (language !== null && baseOf(language) !== settled) || utterances.some(({ text }) => isForeign(text, settled));
}

function evidenceOf({ language, utterances }: TranscribedSegment): TranscribedSegment['other'] | null {
  return language === null || utterances.length === 0 ? null : { language, utterances };
}

const TOO_SLOW: readonly string[] = ['engine_timeout', 'engine_too_slow'];

function countUsage(
  { startMs, endMs }: AudioSegment,
  { tokens, dollars = 0 }: EngineAnswer,
  { name: engine, model }: SpeechEngine,
  metrics: TranscribeParts['metrics'],
): void {
  metrics.engineSeconds.inc({ engine, model }, (endMs - startMs) / 1000);
  metrics.engineDollars.inc({ engine, model }, dollars);
  if (tokens === undefined) return;
  metrics.engineTokens.inc({ engine, model, direction: 'input' }, tokens.input);
  metrics.engineTokens.inc({ engine, model, direction: 'output' }, tokens.output);
}

/** The same for the same segment, engine and plan version, so that results of another engine are not reused. */
function keyOf({ channel, voice, startMs, endMs }: AudioSegment, { name, model }: SpeechEngine): string {
  return `${channel ?? (voice === undefined ? 'all' : 'voice')}:${startMs}-${endMs}:${name}/${model}:${PLAN_VERSION}`;
}

/** Without times from the engine, a segment is one utterance. */
function resultOf(
  { channel, startMs, endMs, speechStartMs, speechEndMs, speech }: AudioSegment,
  key: string,
  answer: EngineAnswer | null,
  told: string | null,
): TranscribedSegment {
  const inRecording = (said: TimedText): TimedText => ({
    startMs: Math.min(startMs + said.startMs, endMs),
    endMs: Math.min(startMs + said.endMs, endMs),
    text: said.text,
  });
  const utterances =
    answer?.utterances === undefined
      ? [{ startMs: speechStartMs, endMs: speechEndMs, text: answer?.text ?? '' }]
      : fitTimes(speech, answer.utterances.map(inRecording), answer.words?.map(inRecording));
  return {
    key,
    channel,
    startMs,
    endMs,
    language: answer?.language ?? null,
    utterances: utterances.filter(({ text }) => text !== '').map((said) => ({ speaker: channel, ...said })),
    ...(told === null ? {} : { toldLanguage: told }),
    ...(answer === null ? { unanswered: 'engine_timeout' } : {}),
  };
}
