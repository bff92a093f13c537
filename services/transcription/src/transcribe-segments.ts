import { randomUUID } from 'node:crypto';
import type { Segment as TranscribedSegment } from '@call-analytics/calls';
import { point, WorkError } from '@call-analytics/service-kit';
import { assertLeaseHeld, retryWrite, type StageWork } from '@call-analytics/worker';
import { BoundedConcurrency } from './bounded-concurrency.ts';
import type { Dependencies } from './dependencies.ts';
import { againKey, EmptyAnswers } from './empty-answers.ts';
import { countUsage, type EngineAnswer, type EngineTimes } from './engines/engine.ts';
import { baseOf, CallLanguage, tellsLanguage } from './engines/language.ts';
import type { SegmentResult } from './join/join.ts';
import {
  asNeighbor,
  evidenceOf,
  isGuessedWrong,
  keyOf,
  omittedOf,
  type Pack,
  type Place,
  packOf,
  personOf,
  recordOf,
  resultOf,
  unpacked,
} from './pack.ts';
import { SAMPLE_RATE } from './plan/frames.ts';
import type { AudioSegment } from './plan/planner.ts';
import { SecondLanguage } from './second-language.ts';

/** Failures of a request that took too long. */
const TOO_SLOW: readonly string[] = ['engine_timeout', 'engine_too_slow'];
/** A longer segment that times out fails the attempt. */
const GIVEN_UP_MS = 10_000;

/** Short segments that wait for the language of the call, in ms of speech: bounds the memory they take. */
const MAX_WAITING_MS = 120_000;

export interface Transcribed {
  results: SegmentResult[];
  /** ISO 639-1; null when the engine does not say. */
  language: string | null;
}

/** A segment that is to be transcribed. */
interface Job {
  place: Place;
  key: string;
  /** An earlier answer without the language, kept as evidence that a second language is spoken. */
  guess: TranscribedSegment | null;
  /** Its result, once there is one. */
  entry: SegmentResult | null;
}

/**
 * Transcribes the segments of one call, a few requests in parallel, and saves each result when it is answered. Segments
 * of one person are packed for an engine that takes packs, and all of a shared channel for one that tells speakers
 * apart; otherwise short ones wait until the long ones have settled the language of the call.
 */
export class SegmentTranscription {
  readonly #work: StageWork;
  readonly #dependencies: Dependencies;
  /** Those that may be spoken: the one that the upload named, or those of the settings. */
  readonly #languages: readonly string[];
  readonly #vocabulary: readonly string[];
  readonly #language: CallLanguage;
  readonly #second: SecondLanguage;
  readonly #saved: ReadonlyMap<string, TranscribedSegment>;
  readonly #tasks: BoundedConcurrency;
  readonly #results: SegmentResult[] = [];
  readonly #waiting: Job[] = [];
  /** By person: what will be sent in one request. */
  readonly #open = new Map<string, Job[]>();
  /** Answered before the language was settled. */
  #unsettled: Job[] = [];
  readonly #empty = new EmptyAnswers<Job>();
  readonly #lastPlaces = new Map<string, Place>();
  #sentMs = 0;
  readonly #times: EngineTimes;
  /** Whether it tells speakers apart, as far as that is known. */
  #diarizes: boolean;

  /** @param saved results of earlier attempts @param vocabulary terms to expect, the most important first */
  constructor(
    work: StageWork,
    dependencies: Dependencies,
    saved: readonly TranscribedSegment[],
    vocabulary: readonly string[] = [],
  ) {
    this.#work = work;
    this.#dependencies = dependencies;
    this.#languages = work.call.language === null ? dependencies.languages : [work.call.language];
    this.#vocabulary = vocabulary;
    this.#language = new CallLanguage(this.#languages);
    this.#second = new SecondLanguage(this.#languages, (pack) => this.#ask(pack, this.#languages));
    this.#saved = new Map(
      saved.flatMap((record) => record.packed ?? [record]).map((segment) => [segment.key, segment]),
    );
    this.#tasks = new BoundedConcurrency(
      Math.min(dependencies.segmentConcurrency, dependencies.engine.limits.concurrency),
    );
    this.#diarizes = dependencies.engine.limits.diarizes ?? false;
    this.#times = dependencies.engineTimes;
  }

  /** Waits for a free place. @throws WorkError, LeaseLost, or the reason of the signal, of this segment or others */
  async add(segment: AudioSegment): Promise<void> {
    this.#sentMs += segment.endMs - segment.startMs;
    const key = keyOf(segment, this.#dependencies.engine);
    await this.#take({ place: this.#placeOf(segment), key, guess: null, entry: null });
  }

  /** Transcribes what waits, and asks again where the language was guessed wrongly. @throws as add() does */
  async finish(): Promise<Transcribed> {
    await this.#releaseWaiting();
    await this.#sendOpen();
    await this.#concludeLanguage();
    const { settled } = this.#language;
    if (settled !== null) await this.#askGuessedAgain(settled);
    await this.#sendOpen();
    await this.#tasks.finish();
    await this.#askEmptyAgain();
    await this.#tasks.finish();
    return { results: this.#results, language: settled };
  }

  /** Waits for the requests in flight and ignores their failures. */
  async settle(): Promise<void> {
    await this.#tasks.settle();
  }

  async #take(job: Job): Promise<void> {
    const { segment } = job.place;
    if (this.#saved.has(job.key)) return await this.#send([job]);
    const packSeconds = this.#packSeconds(segment);
    if (packSeconds !== null) {
      await this.#releaseWaiting();
      return await this.#pack(job, packSeconds * SAMPLE_RATE);
    }
    if (!this.#language.waits(segment.speechMs)) {
      if (this.#language.settled !== null) await this.#releaseWaiting();
      return await this.#send([job]);
    }
    this.#waiting.push(job);
    if (this.#waiting.reduce((sum, { place }) => sum + place.segment.speechMs, 0) >= MAX_WAITING_MS)
      await this.#releaseWaiting();
  }

  /** @returns null when the segment is sent alone */
  #packSeconds({ channel }: AudioSegment): number | null {
    const { packSeconds = null, maxSeconds } = this.#dependencies.engine.limits;
    if (this.#diarizes && channel === null) return maxSeconds;
    return this.#times.of === 'words' ? packSeconds : null;
  }

  async #pack(job: Job, mostSamples: number): Promise<void> {
    const { segment } = job.place;
    const person = this.#diarizes && segment.channel === null ? 'all' : personOf(segment);
    const open = this.#open.get(person) ?? [];
    if (open.length === 0 || this.#packOf([...open, job]).samples.length <= mostSamples) {
      this.#open.set(person, [...open, job]);
    } else {
      this.#open.set(person, [job]);
      await this.#send(open);
    }
  }

  async #sendOpen(): Promise<void> {
    const packs = [...this.#open.values()];
    this.#open.clear();
    for (const jobs of packs) await this.#send(jobs);
  }

  /** Where segments were heard in different languages, several are sent together: they tell more than each alone. */
  async #concludeLanguage(): Promise<void> {
    await this.#tasks.finish();
    const together: AudioSegment[] = [];
    const most = (this.#dependencies.engine.limits.packSeconds ?? 0) * SAMPLE_RATE;
    for (const { segment } of this.#unsettled.map(({ place }) => place))
      if (tellsLanguage(segment.speechMs) && packOf([...together, segment]).samples.length <= most)
        together.push(segment);
    if (this.#language.divided && this.#times.of === 'words' && together.length > 1) {
      const answer = await this.#ask(packOf(together), this.#languages);
      const speechMs = together.reduce((sum, segment) => sum + segment.speechMs, 0);
      if (answer?.language != null) this.#language.heard(answer.language, answer.text, speechMs, answer.confidence);
    }
    this.#language.conclude();
  }

  /** Sends again what was heard as another language than that of the call. */
  async #askGuessedAgain(settled: string): Promise<void> {
    for (const { place, entry, key } of this.#unsettled.splice(0)) {
      if (entry === null || !isGuessedWrong(entry.result, settled)) continue;
      await this.#take({ place, key: `${key}:${settled}`, guess: entry.result, entry });
    }
  }

  /** Sends speech without an answer once more; what is saved already comes first. */
  async #askEmptyAgain(): Promise<void> {
    for (const { pack, jobs } of this.#empty.packs(this.#sentMs, this.#times.of, (key) => this.#saved.has(key)))
      await this.#tasks.start(async () => {
        const again = jobs.map((job) => ({ ...job, key: againKey(job.key) }));
        for (const [index, result] of (await this.#transcribe(again, pack)).results.entries()) {
          const entry = jobs[index]?.entry ?? null;
          if (entry !== null && result.utterances.length > 0) entry.result = result;
        }
      });
  }

  /** Without a long segment, the longest of the short ones decides the language, where they are not sent together. */
  async #releaseWaiting(): Promise<void> {
    const waiting = this.#waiting.splice(0);
    const isAlone = () => waiting.some(({ place }) => this.#packSeconds(place.segment) === null);
    if (this.#language.settled === null && isAlone()) await this.#concludeLanguage();
    if (this.#language.settled === null && isAlone()) {
      const longest = waiting.reduce((a, b) => (b.place.segment.speechMs > a.place.segment.speechMs ? b : a));
      waiting.splice(waiting.indexOf(longest), 1);
      await this.#send([longest]);
      await this.#tasks.finish();
      // Now the engine may be known to give the times of words, or speakers.
      if (isAlone()) this.#language.conclude();
    }
    for (const job of waiting)
      await (this.#packSeconds(job.place.segment) === null ? this.#send([job]) : this.#take(job));
  }

  #packOf(jobs: readonly Job[]): Pack {
    const segments = jobs.map(({ place }) => place.segment);
    return packOf(segments, this.#leavesOutSilence(jobs) ? { omitted: omittedOf } : {});
  }

  /** Only the times of words tell what is said before and after it. */
  #leavesOutSilence(jobs: readonly Job[]): boolean {
    return this.#times.of === 'words' && !(this.#diarizes && jobs.some(({ place }) => place.segment.channel === null));
  }

  async #send(jobs: readonly Job[]): Promise<void> {
    await this.#tasks.start(async () => {
      const { settled } = this.#language;
      const leftOut = this.#leavesOutSilence(jobs);
      const { results, confidence } = await this.#transcribe(jobs, this.#packOf(jobs));
      // An answer without the times of words makes the whole be sent.
      const omits = leftOut && this.#times.of === 'words';
      for (const [index, result] of results.entries()) this.#answered(jobs[index] as Job, result, omits);
      if (settled !== null) return;
      const text = results.flatMap(({ utterances }) => utterances.map((utterance) => utterance.text)).join(' ');
      const speechMs = jobs.reduce((sum, { place }) => sum + place.segment.speechMs, 0);
      this.#language.heard(results[0]?.language ?? null, text, speechMs, confidence);
      if (results[0]?.language !== null) this.#unsettled.push(...jobs);
    });
    if (!this.#times.known) await this.#tasks.finish();
  }

  #answered(job: Job, result: TranscribedSegment, omits: boolean): void {
    if (job.entry !== null) {
      job.entry.result = result;
      return;
    }
    const { samples, ...plan } = job.place.segment;
    job.entry = { plan, result, ...(omits && { omitted: omittedOf(job.place.segment) }) };
    this.#results.push(job.entry);
    if (result.utterances.length === 0 && result.unanswered === undefined) this.#empty.add(job);
  }

  #placeOf(segment: AudioSegment): Place {
    const before = this.#lastPlaces.get(personOf(segment));
    const place: Place = { segment, before: asNeighbor(before?.segment), after: null };
    if (before !== undefined) before.after = asNeighbor(segment);
    this.#lastPlaces.set(personOf(segment), place);
    return place;
  }

  /**
   * @param pack holds their segments @param began when they were first sent
   * @returns a result for each, and how sure the engine is of all, where it was asked and says it
   */
  async #transcribe(
    jobs: readonly Job[],
    pack: Pack,
    began = new Date(),
  ): Promise<{ results: TranscribedSegment[]; confidence?: number | undefined }> {
    const saved = jobs.map(({ key }) => this.#saved.get(key)).filter((result) => result !== undefined);
    // How sure the engine was is not saved.
    if (saved.length === jobs.length) return { results: saved, confidence: Number.NEGATIVE_INFINITY };
    const { call, lease, signal, draining } = this.#work;
    const { calls } = this.#dependencies;
    const languages = this.#languages;
    signal.throwIfAborted();
    draining.throwIfAborted();
    const told = this.#language.settled;
    const whole = await this.#ask(pack, this.#language.told, began);
    if (whole !== null) this.#times.learn(whole);
    const isLabeled = whole?.utterances?.some(({ speaker }) => speaker !== undefined) === true;
    if (isLabeled) this.#diarizes = true;
    const parts = whole === null ? null : unpacked(whole, pack);
    // A line may run over the end of a segment, so lines tell whose words these are only where they name the speaker.
    const isMapped = parts !== null && (whole?.words !== undefined || isLabeled || whole?.text === '');
    if (!isMapped && (jobs.length > 1 || (whole !== null && pack.pieces.length > 1))) {
      const alone: TranscribedSegment[] = [];
      for (const job of jobs)
        alone.push(...(await this.#transcribe([job], packOf([job.place.segment]), began)).results);
      return { results: alone, confidence: whole?.confidence };
    }
    await point('segment.transcribed', call.id);
    const request = randomUUID().slice(0, 8);
    const results: TranscribedSegment[] = [];
    for (const { place, key, guess } of jobs) {
      const { segment } = place;
      const answer = parts?.[pack.segments.indexOf(segment)] ?? (pack.pieces.length === 1 ? whole : null);
      const other =
        guess === null ? await this.#second.evidence(segment, answer, told, jobs.length > 1) : evidenceOf(guess);
      const result = resultOf(segment, key, answer, told, request);
      if (other != null && (languages.length === 0 || languages.includes(baseOf(other.language)))) result.other = other;
      results.push(result);
    }
    assertLeaseHeld(await retryWrite(() => calls.saveSegment(lease, recordOf(results)), signal));
    assertLeaseHeld(await retryWrite(() => calls.clearWaiting(lease), signal));
    return { results, confidence: whole?.confidence };
  }

  /** @returns null when the engine did not answer in time although it answered other requests since `began` */
  async #ask(pack: Pack, languages: readonly string[], began = new Date()): Promise<EngineAnswer | null> {
    const { channel, startMs = 0, endMs = 0 } = pack.segments[0] ?? {};
    const { signal, log } = this.#work;
    const { engine, metrics } = this.#dependencies;
    const sent = performance.now();
    try {
      const answer = await engine.transcribe(pack, { signal, languages, vocabulary: this.#vocabulary });
      countUsage(pack, answer, engine, metrics);
      await this.#work.paid(engine, answer.dollars ?? null);
      const ms = Math.round(performance.now() - sent);
      log.debug({ startMs, channel, segments: pack.segments.length, ms }, 'transcribed');
      return answer;
    } catch (error) {
      const answersOthers = (engine.health?.answeredAt?.getTime() ?? 0) > began.getTime();
      const tooSlow = error instanceof WorkError && TOO_SLOW.includes(error.failure.code);
      const isPack = pack.segments.length > 1;
      if (!tooSlow || !answersOthers || (!isPack && endMs - startMs > GIVEN_UP_MS)) throw error;
      if (!isPack)
        log.warn({ startMs, endMs, channel }, 'left out a short segment: the speech engine did not answer in time');
      return null;
    }
  }
}
