/** The time, as a thing that tests can step. Everything that decides by wall-clock time takes one of these. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
