/**
 * A name for the report of a recording, safe for every file system: no path, no control characters, none that turn the direction of writing.
 * @param extension without the dot
 */
export function downloadName(fileName: string, word: string, extension: 'txt' | 'md'): string {
  const base = fileName
    .replace(/\.[a-z0-9]{1,4}$/i, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    .replace(/[\\/:*?"<>|\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const short = [...base].slice(0, 100).join('');
  return `${short === '' ? word : `${short} ${word}`}.${extension}`;
}

/** Saves a text as a file of the reader. */
export function saveText(text: string, name: string, type: 'text/plain' | 'text/markdown'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the content when the click has been handled, but not every one in the same turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
