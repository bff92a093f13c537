import { ApiError } from './errors.ts';
import { type Heard, recogniseKnown } from './known-text.ts';
import { pocketsphinxPresent, recogniseSpeech } from './pocketsphinx.ts';

/** `pocketsphinx`: real recognition. `known-text`: the words of the project's own recordings, found by their sound. `auto`: the first if it is installed. */
export type SpeechChoice = 'auto' | 'pocketsphinx' | 'known-text';

export interface Speech {
  name: 'pocketsphinx' | 'known-text';
  /** @param samples 16 kHz, one channel @throws ApiError `stand_in_unknown_audio` for what it cannot know: words are never made up */
  recognise(samples: Int16Array): Promise<Heard>;
}

/** @throws Error when pocketsphinx was asked for and is not installed */
export async function chooseSpeech(choice: SpeechChoice): Promise<Speech> {
  if (choice === 'known-text') return knownText;
  if (await pocketsphinxPresent()) return pocketsphinx;
  if (choice === 'auto') return knownText;
  throw new Error('pocketsphinx does not run here. On Debian: apt-get install pocketsphinx pocketsphinx-en-us');
}

const knownText: Speech = {
  name: 'known-text',
  async recognise(samples) {
    const heard = recogniseKnown(samples);
    if (heard !== null) return heard;
    throw new ApiError(
      400,
      'This stand-in recognises no speech: it replays the words of the recordings of test/audio/files, and this is none of them. For real recognition set OPENAI_API_KEY to a key of OpenAI (and leave OPENAI_BASE_URL unset), or TRANSCRIPTION_ENGINE=whisper.',
      { param: 'file', code: 'stand_in_unknown_audio' },
    );
  },
};

/** It says no times: they are shared out by the letters. */
const pocketsphinx: Speech = {
  name: 'pocketsphinx',
  async recognise(samples) {
    const texts = (await recogniseSpeech(samples)).split(' ').filter(Boolean);
    const letters = texts.reduce((sum, text) => sum + text.length, 0);
    const totalMs = samples.length / 16;
    let before = 0;
    const words = texts.map((text) => {
      const startMs = (totalMs * before) / letters;
      before += text.length;
      return { text, startMs, endMs: (totalMs * before) / letters, speaker: 'A', turn: 0 };
    });
    return { language: 'en', words };
  },
};
