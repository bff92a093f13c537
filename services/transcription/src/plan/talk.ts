import { FRAME_MS, framesIn } from './frames.ts';

/** A shorter pause belongs to what is said. */
const BRIDGED = framesIn(500);

/** Adds up how long someone talks. */
export class Talk {
  #frames = 0;
  #last = -1;

  /** @param frame with speech; frames come in order, each at most once */
  at(frame: number): void {
    const pause = frame - this.#last - 1;
    this.#frames += 1 + (this.#last >= 0 && pause <= BRIDGED ? pause : 0);
    this.#last = frame;
  }

  get seconds(): number {
    return (this.#frames * FRAME_MS) / 1000;
  }
}
