/** How the process says what went wrong. Any other exit is a crash. */
export const WHISPER_EXIT = {
  /** The model could not be loaded. */
  model: 20,
  /** Whisper itself gave up on the piece. */
  failed: 21,
} as const;
