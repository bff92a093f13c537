import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpokenTurn, SpokenWord } from '@call-analytics/stand-in/recordings';
import { addAt, amplified, RATE, readWav, type Samples, sampleAt, speechLevel } from './wave.ts';

/**
 * A written call, as it is kept in `scripts/`. `pauseMs` is the time from the end of the turn before; negative: the
 * speaker interrupts.
 */
export interface Script {
  about: string;
  language: string;
  speakers: Record<'manager' | 'customer', { engine: 'flite' | 'espeak-ng'; voice: string; channel: 'left' | 'right' }>;
  turns: { speaker: 'manager' | 'customer'; pauseMs: number; text: string }[];
  tailMs: number;
}

interface Speech {
  samples: Samples;
  words: SpokenWord[];
}

const SPEECH_LEVEL_DB = -20;

/**
 * Speaks a script.
 * @param workDir an existing directory for passing files
 * @returns one track per channel without any noise, and who says what when
 */
export function speakScript(script: Script, workDir: string): { left: Samples; right: Samples; turns: SpokenTurn[] } {
  const placed: { speech: Speech; fromMs: number; channel: 'left' | 'right' }[] = [];
  const turns: SpokenTurn[] = [];
  let endMs = 0;
  for (const { speaker, pauseMs, text } of script.turns) {
    const { engine, voice, channel } = script.speakers[speaker];
    const speech = speakTurn(engine, voice, text, workDir);
    const fromMs = endMs + pauseMs - (speech.words[0]?.startMs ?? 0);
    const words = speech.words.map((word) => ({
      text: word.text,
      startMs: Math.round(fromMs + word.startMs),
      endMs: Math.round(fromMs + word.endMs),
    }));
    endMs = words.at(-1)?.endMs ?? endMs;
    turns.push({ speaker, channel, text, startMs: words[0]?.startMs ?? endMs, endMs, words });
    placed.push({ speech, fromMs, channel });
  }
  const length = sampleAt(endMs + script.tailMs);
  const left = new Float32Array(length);
  const right = new Float32Array(length);
  for (const { speech, fromMs, channel } of placed)
    addAt(channel === 'left' ? left : right, speech.samples, sampleAt(fromMs));
  return { left: levelled(left), right: levelled(right), turns };
}

function levelled(track: Samples): Samples {
  return track.some((sample) => sample !== 0) ? amplified(track, SPEECH_LEVEL_DB - speechLevel(track)) : track;
}

function speakTurn(engine: 'flite' | 'espeak-ng', voice: string, text: string, workDir: string): Speech {
  const sentences = (text.match(/[^.?!]+[.?!]+/g) ?? [text]).map((sentence) =>
    engine === 'flite'
      ? fliteSentence(voice, sentence.trim(), workDir)
      : espeakSentence(voice, sentence.trim(), workDir),
  );
  const samples = new Float32Array(sentences.reduce((sum, sentence) => sum + sentence.samples.length, 0));
  const words: SpokenWord[] = [];
  let from = 0;
  for (const sentence of sentences) {
    const offsetMs = (from / RATE) * 1000;
    addAt(samples, sentence.samples, from);
    words.push(
      ...sentence.words.map((word) => ({
        text: word.text,
        startMs: offsetMs + word.startMs,
        endMs: offsetMs + word.endMs,
      })),
    );
    from += sentence.samples.length;
  }
  return { samples, words };
}

function fliteSentence(voice: string, sentence: string, workDir: string): Speech {
  const wav = join(workDir, 'sentence.wav');
  const printed = execFileSync('flite', ['-voice', voice, '-psdur', '-t', sentence, '-o', wav], { encoding: 'utf8' });
  let before = 0;
  const phones = printed
    .trim()
    .split(/\s+/)
    .map((field) => {
      const [name = '', end = '0'] = field.split(':');
      const phone = { name, startMs: before, endMs: Number(end) * 1000 };
      before = phone.endMs;
      return phone;
    })
    .filter((phone) => phone.name !== 'pau');
  return { samples: readWav(readFileSync(wav)), words: wordTimes(voice, sentence.split(/\s+/), phones) };
}

/**
 * flite prints the time of every phone but not which word it belongs to: the phones of each word said alone are aligned
 * with those of the sentence.
 */
function wordTimes(
  voice: string,
  words: string[],
  said: { name: string; startMs: number; endMs: number }[],
): SpokenWord[] {
  const owner: number[] = [];
  const expected = words.flatMap((word, index) => {
    const phones = phonesOf(voice, word);
    owner.push(...phones.map(() => index));
    return phones;
  });
  const cost = Array.from({ length: expected.length + 1 }, (_, i) =>
    Array.from({ length: said.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => cost[i]?.[j] ?? Number.POSITIVE_INFINITY;
  const pairCost = (i: number, j: number) => at(i - 1, j - 1) + (expected[i - 1] === said[j - 1]?.name ? 0 : 1);
  for (let i = 1; i <= expected.length; i += 1) {
    for (let j = 1; j <= said.length; j += 1) {
      (cost[i] ?? [])[j] = Math.min(pairCost(i, j), at(i - 1, j) + 1, at(i, j - 1) + 1);
    }
  }
  const times: ({ startMs: number; endMs: number } | undefined)[] = words.map(() => undefined);
  for (let i = expected.length, j = said.length; i > 0 && j > 0; ) {
    if (at(i, j) === pairCost(i, j)) {
      const phone = said[j - 1];
      const word = owner[i - 1];
      if (phone !== undefined && word !== undefined) {
        times[word] = { startMs: phone.startMs, endMs: Math.max(times[word]?.endMs ?? 0, phone.endMs) };
      }
      i -= 1;
      j -= 1;
    } else if (at(i, j) === at(i - 1, j) + 1) i -= 1;
    else j -= 1;
  }
  return words.map((text, index) => {
    const time = times[index];
    if (time === undefined) throw new Error(`no phone of "${text}" was found in "${words.join(' ')}"`);
    return { text, ...time };
  });
}

const knownPhones = new Map<string, string[]>();

function phonesOf(voice: string, word: string): string[] {
  const key = `${voice} ${word}`;
  const known = knownPhones.get(key);
  if (known !== undefined) return known;
  const printed = execFileSync('flite', ['-voice', voice, '-ps', '-t', word, '-o', 'none'], { encoding: 'utf8' });
  const phones = printed
    .trim()
    .split(/\s+/)
    .filter((phone) => phone !== 'pau');
  knownPhones.set(key, phones);
  return phones;
}

/** espeak-ng gives no times: they are shared out by the letters of each word. */
function espeakSentence(voice: string, sentence: string, workDir: string): Speech {
  const spoken = join(workDir, 'espeak.wav');
  const wav = join(workDir, 'sentence.wav');
  execFileSync('espeak-ng', ['-v', voice, '-w', spoken, sentence]);
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', spoken, '-ar', String(RATE), '-ac', '1', '-bitexact', wav]);
  const samples = readWav(readFileSync(wav));
  const loud = (sample: number) => Math.abs(sample) > 0.01;
  const startMs = (Math.max(0, samples.findIndex(loud)) / RATE) * 1000;
  const endMs = (Math.max(0, samples.findLastIndex(loud)) / RATE) * 1000;
  const texts = sentence.split(/\s+/);
  const letters = texts.reduce((sum, text) => sum + text.length, 0);
  let before = 0;
  const words = texts.map((text) => {
    const from = before;
    before += text.length;
    const time = (count: number) => startMs + ((endMs - startMs) * count) / letters;
    return { text, startMs: time(from), endMs: time(before) };
  });
  return { samples, words };
}
