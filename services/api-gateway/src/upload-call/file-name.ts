const MAX_LENGTH = 255;
/** An extension is kept when the name is cut: it tells people, and programs that get the name back, what the file is. */
const EXTENSION = /\.[\p{L}\p{N}]{1,10}$/u;

/**
 * The name of an uploaded file as it is kept and shown: what the client sent, without folders, control characters and
 * the marks that turn the direction of text round (which make `gpj.exe` look like `exe.jpg`), and 255 characters long
 * at most.
 */
export function keptFileName(given: string): string {
  const base = given.slice(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
  const clean = base
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  const bounded = clean.length > MAX_LENGTH ? cut(clean) : clean;
  return bounded === '' || bounded === '.' || bounded === '..' ? 'recording' : bounded;
}

function cut(name: string): string {
  const [extension = ''] = EXTENSION.exec(name) ?? [];
  const stem = name
    .slice(0, MAX_LENGTH - extension.length)
    .toWellFormed()
    .replace(/\ufffd$/, '');
  return stem + extension;
}
