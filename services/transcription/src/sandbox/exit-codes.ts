/** The exit codes of the decoder process. Any other exit is a crash. */
export const DECODER_EXIT = {
  /** Not an accepted format, or nothing in it can be decoded. */
  unreadable: 10,
  /** A valid container without audio. */
  noAudio: 11,
  /** FFmpeg reached a memory limit. */
  outOfMemory: 12,
  /** The codec is not accepted; its name is on standard output. */
  unknownCodec: 13,
  /** The output is valid, but the rest of the file cannot be decoded. */
  stopped: 14,
  /** Isolation is required and not possible. */
  notIsolated: 15,
} as const;

/** The exit codes of the whisper process. Any other exit is a crash. */
export const WHISPER_EXIT = {
  /** The model could not be loaded. */
  model: 20,
  /** Whisper failed on the segment. */
  failed: 21,
} as const;

/** The exit code of a process whose parent died before it was locked down. Nobody reads it. */
export const ORPHANED = 30;
