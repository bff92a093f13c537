/**
 * Jobs that end within this time, in ms, are so short that it makes no difference who goes first. Longer than any round of the dispatcher, so that short jobs do not wait
 * for rounds.
 */
const SHORT_MS = 250;

/** How many more calls the queue may take. */
export interface Room {
  calls: number;
  /** Instead, of accounts that have been given nothing lately. */
  newcomers: number;
  /** Instead, of calls that are no longer than `shortSeconds`. */
  shortCalls: number;
  shortSeconds: number;
}

/**
 * How many calls may wait in a queue of the broker, granted and not yet claimed. The queue is first come, first served: what is in it can no longer be overtaken, so it
 * holds half as many calls as are being worked on. A newcomer's call then starts within the time of one job when two workers or more are busy: those before it are
 * taken by the first half of the workers that end their job, it by the next. For that it need not wait until there is room for everybody's calls: while no more calls are in
 * the queue than are being worked on, it is put there at once, and the worker that ends next but one takes it without waiting for the dispatcher.
 *
 * While jobs are short, that would make workers wait for the dispatcher after each. So the queue may also hold as many calls as workers have ended lately, and a newcomer
 * waits for SHORT_MS at most; a call that is longer than those is not let in on their account.
 */
export class QueueWindow {
  /** Granted within the last SHORT_MS, oldest first. */
  #recent: { at: number; seconds: number }[] = [];

  /** @param inFlight what the store says: calls granted and not yet claimed, and calls being worked on */
  room({ granted, leased }: { granted: number; leased: number }): Room {
    const since = performance.now() - SHORT_MS;
    while (this.#recent[0] !== undefined && this.#recent[0].at < since) this.#recent.shift();
    const ended = this.#recent.length - granted - leased;
    return {
      calls: Math.max(1, Math.floor(leased / 2)) - granted,
      newcomers: leased - granted,
      shortCalls: ended - granted,
      shortSeconds: Math.max(0, ...this.#recent.map(({ seconds }) => seconds)),
    };
  }

  granted(seconds: number): void {
    this.#recent.push({ at: performance.now(), seconds });
  }
}
