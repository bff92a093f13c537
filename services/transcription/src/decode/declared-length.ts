// The length in the header, for formats where FFmpeg does not give it when the file is shorter.

const CHUNK_HEADER_BYTES = 8;
/** Recorders that do not know the length yet write about 2 or 4 GiB. */
const PLACEHOLDER_BYTES = 0x7fff_0000;

const ASF_HEADER = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex');
const ASF_FILE_PROPERTIES = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex');
const ASF_PLAY_DURATION_AT = 64;
const ASF_PREROLL_AT = 80;

/** @param head the first bytes of the file @returns seconds; null when the header has no length or a placeholder */
export function declaredSeconds(head: Buffer): number | null {
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE') return wavSeconds(head);
  return head.subarray(0, ASF_HEADER.length).equals(ASF_HEADER) ? asfSeconds(head) : null;
}

function wavSeconds(head: Buffer): number | null {
  let bytesPerSecond = 0;
  for (let at = 12; at + CHUNK_HEADER_BYTES <= head.length; ) {
    const id = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    const body = at + CHUNK_HEADER_BYTES;
    if (id === 'fmt ' && body + 12 <= head.length) bytesPerSecond = head.readUInt32LE(body + 8);
    if (id === 'data') return bytesPerSecond > 0 && size > 0 && size < PLACEHOLDER_BYTES ? size / bytesPerSecond : null;
    at = body + size + (size % 2);
  }
  return null;
}

/** ASF specification, 3.2: the play duration, in units of 100 ns, includes the preroll, in ms. */
function asfSeconds(head: Buffer): number | null {
  const at = head.indexOf(ASF_FILE_PROPERTIES);
  if (at === -1 || at + ASF_PREROLL_AT + 8 > head.length) return null;
  const played = Number(head.readBigUInt64LE(at + ASF_PLAY_DURATION_AT)) / 1e7;
  const preroll = Number(head.readBigUInt64LE(at + ASF_PREROLL_AT)) / 1e3;
  return played > preroll ? played - preroll : null;
}
