/** A value as it may be repeated to the client: short, and in quotes. */
export function shown(value: unknown): string {
  const text = String(value);
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text);
}

const UNITS = ['GiB', 'MiB', 'KiB'];

/** A number of bytes as people say it, e.g. `2 GiB`, exact where it can be said so and in bytes where not. */
export function shownBytes(bytes: number): string {
  const power = [3, 2, 1].find((each) => bytes >= 1024 ** each && bytes % 1024 ** each === 0);
  return power === undefined ? `${bytes} bytes` : `${bytes / 1024 ** power} ${UNITS[3 - power]}`;
}
