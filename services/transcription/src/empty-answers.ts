import { type Pack, type Place, packedAgain } from './pack.ts';
import { SAMPLE_RATE } from './plan/frames.ts';

/** Speech of this length without an answer is sent once more. */
const MIN_SPEECH_MS = 1_000;
/** So much audio is sent once more: this, or this share of all. */
const MOST = { ms: 30_000, share: 0.05 };
/** Bounds the memory of segments that wait for that. */
const MAX_WAITING = 30;

/** The key under which the second answer to a segment is saved. */
export const againKey = (key: string) => `${key}:again`;

/** Segments with speech that an engine answered with nothing. */
export class EmptyAnswers<J extends { place: Place; key: string }> {
  readonly #jobs: J[] = [];

  /** Keeps a segment that was answered with nothing, if it has speech enough. */
  add(job: J): void {
    if (job.place.segment.speechMs >= MIN_SPEECH_MS && this.#jobs.length < MAX_WAITING) this.#jobs.push(job);
  }

  /**
   * @param sentMs of all audio of the call @param timed what the engine gives times of
   * @param isSaved whether there is an answer with this key
   * @returns what to send once more, first what is saved already: the result is the same after a restart
   */
  packs(
    sentMs: number,
    timed: 'words' | 'lines' | null,
    isSaved: (key: string) => boolean,
  ): { pack: Pack; jobs: J[] }[] {
    const empty = this.#jobs.splice(0).sort((a, b) => a.place.segment.startMs - b.place.segment.startMs);
    const { saved = [], others = [] } = Object.groupBy(empty, ({ key }) =>
      isSaved(againKey(key)) ? 'saved' : 'others',
    );
    let leftMs = Math.max(MOST.ms, MOST.share * sentMs);
    const packs = [...packedAgain(saved, null), ...packedAgain(others, timed)];
    const end = packs.findIndex(({ pack }) => {
      leftMs -= (pack.samples.length * 1000) / SAMPLE_RATE;
      return leftMs < 0;
    });
    return end < 0 ? packs : packs.slice(0, end);
  }
}
