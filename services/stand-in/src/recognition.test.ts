import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeAudio } from './decode.ts';
import { type StandIn, startStandIn } from './index.ts';
import { audioFile, readManifest, type SpokenWord } from './recordings.ts';
import { mp3Of, transcribe, wordEdits, wordErrorRate, wordsOf } from './requests.fixture.ts';
import { SAMPLE_RATE } from './spectrum.ts';

const call = audioFile('bundled-call.mp3');
const [left = new Int16Array(), right = new Int16Array()] =
  decodeAudio(readFileSync(call.path), 'stereo')?.channels ?? [];
const [mono = new Int16Array()] =
  decodeAudio(readFileSync(audioFile('bundled-call-mono.mp3').path), 'mono')?.channels ?? [];
const HEARD = { left, right, mono };

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn({ speech: 'known-text' });
});
afterAll(() => standIn.close());

async function textOf(mp3: Buffer, name = 'piece.mp3'): Promise<string> {
  const { status, body } = await transcribe(standIn, mp3, { name });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return (body as { text: string }).text;
}

describe('known text is recognized by its sound', () => {
  it.each(['left', 'right', 'mono'] as const)(
    '%s, cut anywhere, in pieces of any length, as MP3 at 32 kbit/s: nearly every word',
    async (channel) => {
      let spoken = 0;
      let edits = 0;
      for (const [seconds, step] of [
        [3, 14.3],
        [11, 29.9],
        [158, 158],
      ] as const) {
        for (let from = 0.137; from + seconds / 2 < 158; from += step) {
          const heard = wordsOf(await textOf(mp3Of(piece(HEARD[channel], from, seconds), 32)));
          const truth = wordsOf(wordsBetween(channel, from, from + seconds));
          spoken += truth.length;
          edits += wordEdits(truth, heard);
        }
      }
      // The words at the cuts are halves: they may be heard or not.
      expect(spoken).toBeGreaterThan(channel === 'mono' ? 650 : 250);
      expect(edits / spoken).toBeLessThan(0.02);
    },
    60_000,
  );

  it('cut in the pauses between turns: every word, and no other', async () => {
    for (const turn of call.turns) {
      const overlapped = call.turns.some(
        (other) => other !== turn && other.endMs > turn.startMs - 200 && other.startMs < turn.endMs + 200,
      );
      if (overlapped) continue;
      const from = turn.startMs / 1000 - 0.1;
      const samples = piece(HEARD[turn.channel], from, (turn.endMs - turn.startMs) / 1000 + 0.2);
      expect(await textOf(mp3Of(samples, 48))).toBe(turn.text);
    }
  });

  it('with the pauses taken out, so that nothing is at its old place', async () => {
    const turns = call.turns.filter(({ channel }) => channel === 'right');
    const joined = Int16Array.from(
      turns.flatMap(({ startMs, endMs }) => [...piece(right, startMs / 1000 - 0.1, (endMs - startMs) / 1000 + 0.2)]),
    );
    expect(wordErrorRate(turns.map(({ text }) => text).join(' '), await textOf(mp3Of(joined, 32)))).toBeLessThan(0.02);
  });

  it('with the silence within turns taken out, so that only one to two seconds are at one place', async () => {
    const runs = call.turns
      .filter(({ channel }) => channel === 'right')
      .flatMap(({ words }) => words.map((word) => ({ ...word })))
      .reduce<{ text: string; startMs: number; endMs: number }[]>((before, word) => {
        const last = before.at(-1);
        if (last === undefined || word.startMs - last.endMs >= 250) before.push(word);
        else Object.assign(last, { endMs: word.endMs, text: `${last.text} ${word.text}` });
        return before;
      }, [])
      .filter(({ startMs, endMs }) => endMs - startMs >= 1_000 && endMs - startMs < 2_000);
    expect(runs.length).toBeGreaterThan(10);
    const joined = Int16Array.from(
      runs.flatMap(({ startMs, endMs }) => [...piece(right, startMs / 1000 - 0.1, (endMs - startMs) / 1000 + 0.2)]),
    );
    // Up to a second of sound may stay unexplained at a cut.
    expect(wordErrorRate(runs.map(({ text }) => text).join(' '), await textOf(mp3Of(joined, 32)))).toBeLessThan(0.1);
  });

  it.each([-30, -20, 12])('%i dB louder', async (db) => {
    const changed = piece(left, 50, 20).map((sample) => Math.max(-32_768, Math.min(32_767, sample * 10 ** (db / 20))));
    expect(wordErrorRate(wordsBetween('left', 50, 70), await textOf(mp3Of(changed, 32)))).toBeLessThan(0.05);
  });

  const spoken = readManifest().files.filter(
    ({ script, seconds, content, name }) =>
      script !== null && seconds !== null && !['aac', 'wma'].includes(content) && !name.includes('bundled'),
  );
  it.each(spoken)('$name, whatever it is called', async ({ name, content }) => {
    const file = audioFile(name);
    const turns =
      name === 'one-channel-silent.mp3' ? file.turns.filter(({ channel }) => channel === 'left') : file.turns;
    const { status, body } = await transcribe(standIn, readFileSync(file.path), {
      name: `x.${content === 'm4a' ? 'mp3' : 'wav'}`,
      model: 'whisper-1',
    });
    expect({ status, text: (body as { text: string }).text }).toEqual({
      status: 200,
      text: turns.map(({ text }) => text).join(' '),
    });
  });
});

describe('words are never made up', () => {
  it.each(['silence.mp3', 'tenth-of-a-second.wav', 'hold-music.mp3'])('%s gives none', async (name) => {
    expect(await textOf(readFileSync(audioFile(name).path), name)).toBe('');
  });

  it('a pause of the call gives none', async () => {
    expect(await textOf(mp3Of(piece(left, 30, 7), 32))).toBe('');
  });

  const backwards = (samples: Int16Array) => samples.toReversed();
  const inAnotherOrder = (samples: Int16Array) => {
    const slices = Array.from({ length: Math.floor(samples.length / 4_800) }, (_, i) =>
      samples.subarray(i * 4_800, (i + 1) * 4_800),
    );
    return Int16Array.from(slices.flatMap((_, i) => [...(slices[(i * 7) % slices.length] ?? [])]));
  };
  it.each([
    ['the same voices saying something else', inAnotherOrder],
    ['speech in no language', backwards],
  ])('%s is refused, with the two settings that make it work', async (_name, changed) => {
    // Long, and shorter than it takes to give up.
    for (const samples of [piece(left, 20, 30), piece(right, 20, 30), ...[4, 5].map(turnAlone)]) {
      const { status, body } = await transcribe(standIn, mp3Of(changed(samples), 32));
      expect(status).toBe(400);
      expect(body).toMatchObject({
        error: {
          code: 'stand_in_unknown_audio',
          message: expect.stringMatching(/OPENAI_API_KEY.*TRANSCRIPTION_ENGINE/),
        },
      });
    }
  });

  it('a call of which only the beginning is known is refused', async () => {
    const strange = backwards(piece(left, 60, 40));
    const both = new Int16Array(10 * SAMPLE_RATE + strange.length);
    both.set(piece(left, 0, 10));
    both.set(strange, 10 * SAMPLE_RATE);
    expect((await transcribe(standIn, mp3Of(both, 32))).status).toBe(400);
  });
});

describe('what is answered beside the text', () => {
  it('verbose_json has words where they were spoken in the piece', async () => {
    const { body } = await transcribe(standIn, mp3Of(piece(right, 28, 14), 32), {
      model: 'whisper-1',
      fields: [
        ['response_format', 'verbose_json'],
        ['timestamp_granularities[]', 'word'],
        ['timestamp_granularities[]', 'segment'],
      ],
    });
    const { words, segments, language, duration } = body as {
      words: { word: string; start: number; end: number }[];
      segments: { start: number; text: string }[];
      language: string;
      duration: number;
    };
    expect(language).toBe('english');
    expect(Math.abs(duration - 14)).toBeLessThan(0.2);
    const expected = call.turns
      .flatMap((turn) => turn.words)
      .find(({ text, startMs }) => text === 'spread' && startMs > 28_000);
    const heard = words.find(({ word }) => word === 'spread');
    expect(Math.abs((heard?.start ?? 0) * 1000 + 28_000 - (expected?.startMs ?? 0))).toBeLessThan(100);
    expect(segments[0]?.text).toBe(
      ' We use a big spread sheet. Every morning somebody calls the drivers and changes the plan by hand. It takes about two hours a day, and we still make mistakes.',
    );
  });

  it('diarized_json names speakers anew in each request, and gpt-transcribe says the language', async () => {
    const diarized = async (from: number) => {
      const { body } = await transcribe(standIn, mp3Of(piece(mono, from, 20), 32), {
        model: 'gpt-4o-transcribe-diarize',
        fields: [['response_format', 'diarized_json']],
      });
      return (body as { segments: { speaker: string; text: string }[] }).segments;
    };
    expect((await diarized(0)).map(({ speaker }) => speaker)).toEqual(['A', 'B', 'A', 'B']);
    const later = call.turns[5];
    expect((await diarized((later?.startMs ?? 0) / 1000))[0]).toMatchObject({ speaker: 'A', text: ` ${later?.text}` });
    expect(later?.speaker).not.toBe(call.turns[0]?.speaker);
    const russian = await transcribe(standIn, readFileSync(audioFile('russian.mp3').path));
    expect(russian.body).toMatchObject({ languages: [{ code: 'ru' }] });
  });

  it('the text of the gpt-4o models ends after 2,000 tokens, and nothing says so', async () => {
    const long = Int16Array.from({ length: 6 * mono.length }, (_, i) => mono[i % mono.length] ?? 0);
    const mp3 = mp3Of(long, 32);
    const whole = (await transcribe(standIn, mp3, { model: 'whisper-1' })).body as { text: string };
    const cut = (await transcribe(standIn, mp3, { model: 'gpt-4o-transcribe' })).body as { text: string };
    expect(
      wordErrorRate(
        call.turns
          .map(({ text }) => text)
          .join(' ')
          .repeat(6),
        whole.text,
      ),
    ).toBeLessThan(0.02);
    expect(whole.text.startsWith(cut.text)).toBe(true);
    expect(cut.text.length).toBeLessThan(0.7 * whole.text.length);
  });
});

function piece(samples: Int16Array, fromSeconds: number, seconds: number): Int16Array {
  return samples.slice(
    Math.max(0, Math.round(fromSeconds * SAMPLE_RATE)),
    Math.round((fromSeconds + seconds) * SAMPLE_RATE),
  );
}

/** Five seconds of a turn, on its speaker's channel. */
function turnAlone(index: number): Int16Array {
  const turn = call.turns[index];
  return piece(turn?.channel === 'left' ? left : right, (turn?.startMs ?? 0) / 1000, 5);
}

/** The words whose middle is between the two times, of the person or of both. */
function wordsBetween(channel: keyof typeof HEARD, from: number, to: number): string {
  const inside = ({ startMs, endMs }: SpokenWord) =>
    (startMs + endMs) / 2 >= from * 1000 && (startMs + endMs) / 2 < to * 1000;
  return call.turns
    .filter((turn) => channel === 'mono' || turn.channel === channel)
    .flatMap((turn) => turn.words.filter(inside))
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ text }) => text)
    .join(' ');
}
