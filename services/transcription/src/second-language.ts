import type { Segment as TranscribedSegment } from '@call-analytics/calls';
import type { EngineAnswer } from './engines/engine.ts';
import { baseOf, DOUBTFUL, isForeign, tellsLanguage } from './engines/language.ts';
import { evidenceOf, type Pack, packOf, resultOf, samplesIn } from './pack.ts';
import type { AudioSegment } from './plan/planner.ts';

/** After so many doubts without a reason, only foreign words are a reason to ask. */
const MAX_DOUBTS = 2;

/** Finds what is said in another language than the one that was settled for the call. */
export class SecondLanguage {
  readonly #languages: readonly string[];
  readonly #ask: (pack: Pack) => Promise<EngineAnswer | null>;
  #refuted = 0;

  /** @param languages those that may be spoken; empty when not known @param ask asks without naming the settled one */
  constructor(languages: readonly string[], ask: (pack: Pack) => Promise<EngineAnswer | null>) {
    this.#languages = languages;
    this.#ask = ask;
  }

  /**
   * Asks once more without the language where a long segment fits it badly: the caller may speak another one. The
   * beginning of a longer one is asked first, because noise is a reason for doubt too.
   * @param told the language that the engine was told @param isPacked whether the answer was to more than the segment
   */
  async evidence(
    segment: AudioSegment,
    answer: EngineAnswer | null,
    told: string | null,
    isPacked: boolean,
  ): Promise<TranscribedSegment['other'] | null> {
    if (told === null || answer === null || !tellsLanguage(segment.speechMs)) return null;
    // An engine that takes the language as a hint says what it heard.
    const heard = answer.language === null ? told : baseOf(answer.language);
    if (heard !== told && !isPacked) return evidenceOf(resultOf(segment, '', answer, null));
    if (this.#languages.length === 1) return null;
    const isCertain = heard !== told || isForeign(answer.text, told);
    const isDoubtful = (answer.confidence ?? 0) < DOUBTFUL && this.#refuted < MAX_DOUBTS;
    if (!isCertain && !isDoubtful) return null;
    const head = headOf(segment);
    if (!isCertain && head !== null) {
      const first = await this.#ask(packOf([head]));
      if (first?.language == null || baseOf(first.language) === told) {
        this.#refuted += 1;
        return null;
      }
    }
    const free = await this.#ask(packOf([segment]));
    if (free?.language != null && baseOf(free.language) === told) this.#refuted += 1;
    return free === null ? null : evidenceOf(resultOf(segment, '', free, null));
  }
}

/** So much speech tells an engine which language it is. */
const HEAD_MS = 5_000;
/** A shorter pause may be within a word. */
const MIN_PAUSE_MS = 120;

/** @returns the beginning of a segment up to a pause; null when that is not much shorter */
function headOf(segment: AudioSegment): AudioSegment | null {
  const { startMs, speech } = segment;
  let speechMs = 0;
  const last = speech.findIndex((stretch, index) => {
    speechMs += stretch.endMs - stretch.startMs;
    const next = speech[index + 1];
    return speechMs >= HEAD_MS && next !== undefined && next.startMs - stretch.endMs >= MIN_PAUSE_MS;
  });
  const { endMs = segment.endMs } = speech[last] ?? {};
  if (last < 0 || segment.endMs - endMs < HEAD_MS) return null;
  const untilMs = endMs + MIN_PAUSE_MS / 2;
  const samples = segment.samples.subarray(0, samplesIn(untilMs - startMs));
  return { ...segment, endMs: untilMs, speechEndMs: endMs, speech: speech.slice(0, last + 1), speechMs, samples };
}
