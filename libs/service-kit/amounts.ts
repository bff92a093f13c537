// Amounts as people read them.

/** `counted(1, 'call waits', 'calls wait')` is `1 call waits`. @param many the words for other amounts than one */
export function counted(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** @returns such as `90 minutes`: in the largest unit that needs no fraction, and of a second whole seconds */
export function shownDuration(ms: number): string {
  if (ms > 0 && ms % 3_600_000 === 0) return counted(ms / 3_600_000, 'hour');
  if (ms > 0 && ms % 60_000 === 0) return counted(ms / 60_000, 'minute');
  return counted(Math.round(ms / 1_000), 'second');
}
