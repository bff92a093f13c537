/** How the decoding process says what went wrong. Any other exit is a crash. */
export const DECODER_EXIT = {
  /** None of the accepted formats, or nothing in it can be decoded. */
  unreadable: 10,
  /** A good container without sound in it. */
  noAudio: 11,
  /** FFmpeg ran into a limit on memory. */
  outOfMemory: 12,
} as const;
