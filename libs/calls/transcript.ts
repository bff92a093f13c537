export type Role = 'manager' | 'customer' | 'other';

/** A speaker of a call. `speaker` is 0-based, as in the transcript. */
export interface SpeakerRole {
  speaker: number;
  role: Role;
}

/**
 * The result for one segment of the recording, stored when it is finished. `key` names the segment and how it was
 * transcribed, so that a later attempt can reuse it.
 */
export interface Segment {
  key: string;
  /** 0-based; null when the segment holds all channels mixed. */
  channel: number | null;
  startMs: number;
  endMs: number;
  utterances: Utterance[];
  /** The language that the engine heard or was told (BCP 47); null when it does not say. */
  language: string | null;
  /** The settled language that the engine was told; missing when it was told none, and in older records. */
  toldLanguage?: string;
  /** The answer in another language, when the engine heard that one without being told. */
  other?: { language: string; utterances: Utterance[] };
  /** Why there is no answer; missing when there is one. */
  unanswered?: string;
  /** The segments of one request that held several, each with its own key. The utterances are theirs. */
  packed?: Segment[];
}

export interface Utterance {
  /** Who speaks: 0-based, the same person throughout the call; null when speakers could not be told apart. */
  speaker: number | null;
  startMs: number;
  endMs: number;
  text: string;
  /** Set where it is not the language of the transcript. */
  language?: string;
  /** The times of its words (see word-times.ts). Missing where the engine gave none, and in older records. */
  words?: string;
  /** Terms of the vocabulary in place of what the engine wrote, by offset in the text. Missing in older records. */
  misheard?: { at: number; heard: string; term: string }[];
  /** 0 to 1: how sure it is that this is the speaker. Set where voices were told apart. */
  confidence?: number;
  /** In a segment: whom the engine named as the speaker. The same only within `request`. */
  label?: { request: string; speaker: string };
}

export interface Transcript {
  /** The main language (BCP 47), null when the engine does not say. */
  language: string | null;
  /** The day of the call, such as 2026-11-20, where it is known. */
  date?: string | undefined;
  /** In order of time. Empty when there was no speech. */
  utterances: Utterance[];
  /** Set when the times were only estimated from the number of words. */
  timesEstimated?: true;
  /** How speakers were told apart: by channel (exact), by voice, by the engine, by a person, or not at all. */
  speakersBy: 'channels' | 'voices' | 'engine' | 'person' | 'nothing';
  /** Who is who, where a person has said so. */
  roles?: SpeakerRole[];
  /** 0 to 1: how sure it is that two people share a channel and were told apart. Missing where none was shared. */
  speakersConfidence?: number;
  engine: { name: string; model: string };
  audio: {
    seconds: number;
    channels: number;
    /** Seconds that were given to the engine. */
    coveredSeconds: number;
    /** Seconds with speech, per speaker (one entry when speakers are not told apart). */
    speechSeconds: number[];
    /** Seconds in which anyone speaks: less than the sum where people overlap. Missing in older transcripts. */
    anySpeechSeconds?: number;
    /**
     * Seconds with words, without sound, with music or laughter, and with sound that got no answer: together `seconds`.
     * Missing in older transcripts.
     */
    coverage?: { heard: number; silent: number; music: number; unanswered: number };
    /** Where two people speak at once for half a second or more, by channel. Missing in older transcripts. */
    overlaps?: { startMs: number; endMs: number }[];
    /**
     * Set when the recording ends before its header says so, or cannot be decoded any further; missing in older
     * transcripts. `declaredSeconds` is the length in the header, null when it has none.
     */
    cutOff?: { declaredSeconds: number | null } | null;
    /** What was left out and why, e.g. silence or an answer that was not speech. */
    dropped: { startMs: number; endMs: number; reason: string }[];
  };
}
