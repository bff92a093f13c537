import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '@call-analytics/stand-in/recordings';
import { seeded } from '@call-analytics/test/audio/wave.ts';
import { REAL_RECORDINGS } from '@call-analytics/test/requirements.fixture.ts';

/** Text with the sound that is under it. */
export interface Heard {
  kind: string;
  text: string;
  /** The length that the engine gave it, the speech that was measured in it, in ms, and its level in dBFS. */
  lengthMs: number;
  speechMs: number;
  loudestDb: number;
  /** What the engine was given beside the audio. */
  vocabulary?: readonly string[];
}

type Half = 'tuning' | 'unseen';

/** Words of two halves that share none. The rules were fitted to the first; the second was only counted. */
const WORDS = {
  tuning: {
    repeated: ['Music', 'you', 'Ah', 'the', 'and', 'Mm-hmm', 'Peter', 'so', 'DJ', 'uh'],
    sounds: ['[Music]', 'Music', '♪', '(laughs)', 'Applause', 'Musik', '*sighs*', '♪♪♪', '[BLANK_AUDIO]', 'Laughter'],
    laughs: ['Ha ha ha ha!', 'Haha.', 'Hahaha!', 'Hehehe', 'Ha, ha, ha.', 'He he he he', 'La la la la la'],
    silent: [
      'Thank you for watching.',
      'Please subscribe to my channel.',
      'I will see you in the next video.',
      'Subtitles by the Amara.org community',
      'Untertitel der Amara.org-Community',
      'The end of the meeting is near.',
      'We are going to go to the next one.',
    ],
    fast: [
      'I am going to show you how to make a very simple and easy to use paper box for your friends',
      'In this video we look at the best ways to keep your garden free of weeds all year round',
      'Ich werde Ihnen jetzt zeigen wie man das macht und dann gehen wir weiter zum nächsten Punkt der Liste',
      'If you have any questions or other problems please let me know in the comments section below this video',
    ],
    vocabularies: [
      ['Sitilli', 'Platinum Motors', 'Northwest', 'Tesla Model S'],
      ['Riverbank Printing', 'Owusu', 'Kowalczyk', 'O’Neill & Söhne'],
    ],
    numbers: ['one two three four five six seven eight', 'eins zwei drei vier fünf sechs sieben'],
  },
  unseen: {
    repeated: ['Bell', 'what', 'Eh', 'we', 'but', 'Brrr', 'Susan', 'like', 'TV', 'kan'],
    sounds: [
      '(music)',
      'Música',
      '♫',
      '[laughter]',
      '[Applause]',
      'музыка',
      '*coughs*',
      '♪ ♪',
      '[silence]',
      '(Gelächter)',
    ],
    laughs: ['Hah hah hah!', 'Hahahahaha.', 'Ahahaha!', 'Jajaja', 'Heh heh heh.', 'Hee hee hee', 'Na na na na na'],
    silent: [
      'Thanks for watching and see you next time.',
      'Don’t forget to like and subscribe.',
      'Transcribed by otter dot ai',
      'Субтитры создавал DimaTorzok',
      'Sous-titrage Société Radio-Canada',
      'He was the first man on the moon.',
      'It is a beautiful day in the city.',
    ],
    fast: [
      'The company was founded many years ago by a group of engineers who wanted to change the way we think',
      'First you take the flour and the eggs and then you mix it all together in a large bowl',
      'Vamos a ver cómo podemos hacer esto de una manera muy sencilla y rápida para todos los que nos ven',
      'So that is what we wanted to tell you today and we hope that it was of some help to you',
    ],
    vocabularies: [
      ['Krzysztof', 'Halvorsen Logistics', 'Model 3000 Pro', 'Ubuntu'],
      ['Oyelaran', 'Cloudberry Suite', 'Zürich branch', 'C++ course'],
    ],
    numbers: ['three four five six seven eight nine ten', 'uno dos tres cuatro cinco seis siete ocho'],
  },
} as const;

/** @returns 250 pieces of text as engines invent them: for each kind, as many as the others within one */
export function planted(half: Half): Heard[] {
  const words = WORDS[half];
  const random = seeded(half === 'tuning' ? 1 : 2);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const between = (from: number, to: number) => Math.round(from + random() * (to - from));
  /** A stretch with sound in it, such as music or breath, that lasts long enough for the text. */
  const onSound = (kind: string, text: string): Heard => {
    const speechMs = between(2_000, 12_000);
    return { kind, text, lengthMs: speechMs + between(0, 1_500), speechMs, loudestDb: between(-40, -12) };
  };
  const kinds: (() => Heard)[] = [
    () => {
      const from = between(0, 12);
      const separator = pick(['..', ', ', ' ', '. ', '-', '...'] as const);
      const series = Array.from({ length: between(5, 30) }, (_, i) => from + i);
      return onSound(
        'digits',
        `${(random() < 0.2 ? series.reverse() : series).join(separator)}${pick(['', '.', '..'])}`,
      );
    },
    () => onSound('digits', `${pick(words.numbers)}.`),
    () => {
      const word = pick(words.repeated);
      const separator = pick([' ', ', ', '. '] as const);
      return onSound('repeated', Array.from({ length: between(5, 60) }, () => word).join(separator));
    },
    () => {
      const word = pick(['No', 'Yeah', 'Okay', 'Bye']);
      return onSound('repeated', Array.from({ length: between(10, 60) }, () => word).join(', '));
    },
    () => onSound('sounds', Array.from({ length: between(1, 5) }, () => pick(words.sounds)).join(' ')),
    () => onSound('laughter', Array.from({ length: between(1, 3) }, () => pick(words.laughs)).join(' ')),
    () => {
      const speechMs = pick([0, 0, 40, 80]);
      return {
        kind: 'silence',
        text: pick(words.silent),
        lengthMs: between(300, 30_000),
        speechMs,
        loudestDb: between(-90, -46),
      };
    },
    () => {
      const text = pick(words.fast);
      const speechMs = Math.round((text.split(' ').length / (6.5 + 8 * random())) * 1000);
      return { kind: 'speed', text, lengthMs: between(speechMs, 20_000), speechMs, loudestDb: between(-30, -12) };
    },
    () => {
      const vocabulary = pick<readonly string[]>(words.vocabularies);
      const all = vocabulary.join(', ');
      const text = pick([`${all}.`, all.toLowerCase(), vocabulary.slice(1).join(' '), `So, it is ${all}, okay?`]);
      return { ...onSound('vocabulary', text), vocabulary };
    },
  ];
  return Array.from({ length: 250 }, (_, i) => (kinds[i % kinds.length] as () => Heard)());
}

/** Real words that look like inventions. */
const HARD = `No, no, no, no, no.
Yes yes yes yes yes.
Bye bye. Bye. Bye bye now.
Okay, okay, okay. I see.
Hello? Hello? Hello? Can you hear me?
Very very very good.
Wait wait wait. Say that again.
My number is eight eight eight, three three three, two two two two.
888 333 2222.
It is 0800 1 2 3 4.
One two three, can you hear me now?
We need 10, 20 or 30 licenses.
Between 8 and 10, the earlier the better.
Ten, fifteen, maybe twenty people.
S I T I L L I.
F-I-T-I-L-L-E.
Ha! That is what my boss says.
Haha, yes, that is true.
The music was too loud, sorry.
Hold music, I hate hold music.
Thank you. Thank you so much. Thank you.
Thanks. Bye.
I, I, I do not know.
It is, it is, it is a bit much for us.
Ja, ja, ja, genau.
Sí, sí, sí, claro.
Right, right, right, right.
Mhm. Mhm. Yeah.
Step one, step two, step three.
Monday, Tuesday, Wednesday, Thursday and Friday.
In 2021, 2022 and 2023 we had no price increase.
That makes 1, 2, 3, 4 seats.
That is a long long long time.
Twenty four seven.
Tesla Model S.
Thanks for watching the shop while I was away.
Please, please, please call me back.
Good good good.
So so so, that is the thing.
Really? Really really?`.split('\n');

const WRITTEN = [
  new URL('../../../analysis/src/rules/dialogues/', import.meta.url),
  new URL('../../../../test/quality/calls/', import.meta.url),
];

/**
 * @returns what people said: real calls with their measured times where they are beside the checkout, the recordings of
 * the stand-in with theirs, and written calls and hard lines at two to five words a second
 */
export function spoken(): Heard[] {
  const random = seeded(3);
  const timed = (text: string, lengthMs: number): Heard => ({
    kind: 'timed',
    text,
    lengthMs,
    speechMs: Math.round(lengthMs * 0.8),
    loudestDb: -20,
  });
  const untimed = (text: string): Heard => {
    const speechMs = Math.round((text.split(/[\s-]+/).length / (2 + 3 * random())) * 1000);
    return { kind: 'untimed', text, lengthMs: Math.round(speechMs * 1.2), speechMs, loudestDb: -20 };
  };
  const recorded = Object.values(readManifest().scripts).flatMap(({ turns }) =>
    turns.map((turn) => timed(turn.text, turn.endMs - turn.startMs)),
  );
  return [...recorded, ...realCalls(timed), ...written().map(untimed), ...HARD.map(untimed)];
}

function realCalls(timed: (text: string, lengthMs: number) => Heard): Heard[] {
  if (!existsSync(REAL_RECORDINGS)) return [];
  return readdirSync(REAL_RECORDINGS)
    .filter((file) => file.endsWith('.words.txt'))
    .flatMap((file) => readFileSync(join(REAL_RECORDINGS, file), 'utf8').split('\n'))
    .flatMap((line) => {
      const [, start = '0', end = '0', text = ''] = /^([\d.]+) ([\d.]+) \d (.+)$/.exec(line) ?? [];
      return text === '' ? [] : [timed(text, 1000 * (Number(end) - Number(start)))];
    });
}

/** The turns of the written calls, which are lines such as "A: Good morning." after a head. */
function written(): string[] {
  return WRITTEN.filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => new URL(file, folder)),
    )
    .filter((file) => file.pathname.endsWith('.txt'))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .flatMap((line) => /^[A-Z]: (.+)$/.exec(line)?.[1] ?? []);
}
