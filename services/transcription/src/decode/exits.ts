/** How the decoding process says what went wrong. Any other exit is a crash. */
export const DECODER_EXIT = {
  /** None of the accepted formats, or nothing in it can be decoded. */
  unreadable: 10,
  /** A good container without audio in it. */
  noAudio: 11,
  /** FFmpeg ran into a limit on memory. */
  outOfMemory: 12,
  /** The codec is not one of the accepted ones; its name is on standard output. */
  unknownCodec: 13,
  /** What was written is good, and the rest cannot be decoded. */
  stopped: 14,
  /** The process could not be isolated, and that is required. */
  notIsolated: 15,
} as const;
