const MAX_LENGTH = 255;

/**
 * The name of an uploaded file as it is kept and shown: what the client said, without folders, control characters and the marks that turn the direction of
 * text round (which make `gpj.exe` look like `exe.jpg`).
 */
export function keptFileName(given: string): string {
  const base = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const clean = base
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  const bounded =
    clean.length > MAX_LENGTH
      ? clean
          .slice(0, MAX_LENGTH)
          .toWellFormed()
          .replace(/\ufffd$/, '')
      : clean;
  return bounded === '' || bounded === '.' || bounded === '..' ? 'recording' : bounded;
}
