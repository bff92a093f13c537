import type { Content, Expected } from '@call-analytics/stand-in/recordings';
import { amplified, holdMusic, mixed, RATE, roomNoise, type Samples } from './wave.ts';

/** The two people of a script, each alone on a track, without noise. */
export interface SpokenTracks {
  left: Samples;
  right: Samples;
}

/** A file to be made: what is heard, how ffmpeg writes it, and what is then done to the bytes. */
export interface Recording {
  name: string;
  about: string;
  content: Content;
  expected: Expected;
  script?: string;
  /** One track per channel. Without it the file holds no sound and `bytes` makes it. */
  tracks?: (spoken: SpokenTracks) => Samples[];
  /** What ffmpeg is told, after its input. */
  encode?: string[];
  /** A second input of ffmpeg: a picture of that many pixels a side. */
  pictureSide?: number;
  /** The last step on the bytes: `cut` keeps a share of them, `promise-4gb` lies about the length. */
  afterwards?: { cut: number } | 'promise-4gb';
  bytes?: 'empty' | 'text' | 'pdf' | 'png';
}

const ROOM_DB = -62;
const speech: Expected = { upload: [202], ends: 'speech' };
const noSpeech: Expected = { upload: [202], ends: 'no-speech' };
const refused: Expected = { upload: [415], ends: null };

const room = (track: Samples, seed: number) => mixed([track, roomNoise(track.length, ROOM_DB, seed)]);
const stereo = ({ left, right }: SpokenTracks) => [room(left, 1), room(right, 2)];
const mono = ({ left, right }: SpokenTracks) => [room(mixed([left, right]), 3)];
const bothTheSame = (spoken: SpokenTracks) => [...mono(spoken), ...mono(spoken)];
const onlyManager = ({ left }: SpokenTracks) => [room(left, 1), new Float32Array(left.length)];
const quiet = (spoken: SpokenTracks) => stereo(spoken).map((track) => amplified(track, -20));
const crosstalk = ({ left, right }: SpokenTracks) =>
  stereo({ left: mixed([left, amplified(right, -20)]), right: mixed([right, amplified(left, -20)]) });
const surround = ({ left, right }: SpokenTracks) => [
  left,
  right,
  ...Array.from({ length: 4 }, () => new Float32Array(left.length)),
];
const noise = (seconds: number) => () => [roomNoise(Math.round(seconds * RATE), ROOM_DB, 4)];

const mp3 = (kbps: number) => ['-c:a', 'libmp3lame', '-b:a', `${kbps}k`, '-f', 'mp3'];
// Both channels on their own and few bits where nobody speaks: joint stereo and constant rates of this size cost a
// recognizer half of the words.
const clearMp3 = ['-c:a', 'libmp3lame', '-joint_stereo', '0', '-compression_level', '0', '-q:a', '7', '-f', 'mp3'];
const m4a = ['-c:a', 'aac', '-b:a', '48k', '-f', 'mp4'];
const wav = ['-c:a', 'pcm_s16le', '-f', 'wav'];

const call = 'bundled-call';
const excerpt = 'excerpt';

export const RECORDINGS: readonly Recording[] = [
  {
    name: 'bundled-call.mp3',
    about: 'the bundled sales call: manager left, customer right',
    content: 'mp3',
    expected: speech,
    script: call,
    tracks: stereo,
    encode: clearMp3,
  },
  {
    name: 'bundled-call-mono.mp3',
    about: 'the bundled sales call, both people in one channel',
    content: 'mp3',
    expected: speech,
    script: call,
    tracks: mono,
    encode: mp3(24),
  },

  {
    name: 'excerpt.mp3',
    about: 'MP3, stereo',
    content: 'mp3',
    expected: speech,
    script: excerpt,
    tracks: stereo,
    encode: mp3(48),
  },
  {
    name: 'excerpt.wav',
    about: 'WAV, 16 bit, mono',
    content: 'wav',
    expected: speech,
    script: excerpt,
    tracks: mono,
    encode: wav,
  },
  {
    name: 'excerpt.m4a',
    about: 'AAC in MP4, stereo',
    content: 'm4a',
    expected: speech,
    script: excerpt,
    tracks: stereo,
    encode: [...m4a, '-movflags', '+faststart'],
  },
  {
    name: 'excerpt.ogg',
    about: 'Vorbis in Ogg, stereo',
    content: 'ogg',
    expected: speech,
    script: excerpt,
    tracks: stereo,
    encode: ['-c:a', 'libvorbis', '-q:a', '3', '-f', 'ogg'],
  },
  {
    name: 'excerpt.flac',
    about: 'FLAC, 8 kHz, mono',
    content: 'flac',
    expected: speech,
    script: excerpt,
    tracks: mono,
    encode: ['-ar', '8000', '-c:a', 'flac', '-f', 'flac'],
  },
  {
    name: 'excerpt.aac',
    about: 'raw AAC (ADTS), stereo',
    content: 'aac',
    expected: speech,
    script: excerpt,
    tracks: stereo,
    encode: ['-c:a', 'aac', '-b:a', '48k', '-f', 'adts'],
  },
  {
    name: 'excerpt.wma',
    about: 'Windows Media Audio 2, stereo',
    content: 'wma',
    expected: speech,
    script: excerpt,
    tracks: stereo,
    encode: ['-c:a', 'wmav2', '-b:a', '48k', '-f', 'asf'],
  },

  {
    name: 'opus.ogg',
    about: 'Opus in Ogg, stereo',
    content: 'ogg',
    expected: speech,
    script: excerpt,
    tracks: stereo,
    encode: ['-c:a', 'libopus', '-b:a', '32k', '-f', 'ogg'],
  },
  {
    name: 'quicktime-video.mov',
    about: 'QuickTime with video and AAC, stereo',
    content: 'm4a',
    expected: speech,
    script: excerpt,
    tracks: stereo,
    pictureSide: 32,
    encode: ['-c:v', 'mpeg4', '-c:a', 'aac', '-b:a', '48k', '-f', 'mov'],
  },
  {
    name: 'quicktime-named.m4a',
    about: 'AAC in QuickTime, stereo, named as M4A',
    content: 'm4a',
    expected: speech,
    script: excerpt,
    tracks: stereo,
    encode: ['-c:a', 'aac', '-b:a', '48k', '-f', 'mov'],
  },
  {
    name: 'mulaw-8khz.wav',
    about: 'WAV as telephone systems write it: 8 kHz mu-law, mono',
    content: 'wav',
    expected: speech,
    script: excerpt,
    tracks: mono,
    encode: ['-ar', '8000', '-c:a', 'pcm_mulaw', '-f', 'wav'],
  },
  {
    name: '24-bit.wav',
    about: 'WAV, 24 bit, 8 kHz, mono',
    content: 'wav',
    expected: speech,
    script: excerpt,
    tracks: mono,
    encode: ['-ar', '8000', '-c:a', 'pcm_s24le', '-f', 'wav'],
  },
  {
    name: 'surround.flac',
    about: 'FLAC with six channels: front left and right speak, the others are silent',
    content: 'flac',
    expected: speech,
    script: excerpt,
    tracks: surround,
    encode: ['-channel_layout', '5.1', '-ar', '8000', '-c:a', 'flac', '-f', 'flac'],
  },
  {
    name: 'large-id3.mp3',
    about: 'MP3 behind an ID3v2 tag of 100 kB with a picture',
    content: 'mp3',
    expected: speech,
    script: excerpt,
    tracks: stereo,
    encode: [
      '-map',
      '0',
      '-map',
      '1',
      '-c:v',
      'copy',
      '-id3v2_version',
      '3',
      '-metadata',
      'title=Звонок клиенту',
      ...mp3(32),
    ],
    pictureSide: 182,
  },
  {
    name: 'without-tags.mp3',
    about: 'MP3 that begins with its first frame: no ID3, no Xing header',
    content: 'mp3',
    expected: speech,
    script: excerpt,
    tracks: stereo,
    encode: ['-id3v2_version', '0', '-write_xing', '0', ...mp3(32)],
  },

  {
    name: 'mp3-named.wav',
    about: 'MP3 with the name of a WAV',
    content: 'mp3',
    expected: speech,
    script: excerpt,
    tracks: stereo,
    encode: mp3(32),
  },
  {
    name: 'm4a-named.mp3',
    about: 'AAC in MP4 with the name of an MP3',
    content: 'm4a',
    expected: speech,
    script: excerpt,
    tracks: stereo,
    encode: m4a,
  },
  {
    name: 'promises-4gb.wav',
    about: 'WAV whose header promises 4 GB, 8 kHz mono, as a recorder that was cut off leaves it',
    content: 'wav',
    expected: speech,
    script: excerpt,
    tracks: mono,
    encode: ['-ar', '8000', ...wav],
    afterwards: 'promise-4gb',
  },

  {
    name: 'mono-in-both-channels.mp3',
    about: 'a mono call copied to both channels',
    content: 'mp3',
    expected: speech,
    script: excerpt,
    tracks: bothTheSame,
    encode: mp3(32),
  },
  {
    name: 'one-channel-silent.mp3',
    about: 'the manager alone on the left, nothing at all on the right',
    content: 'mp3',
    expected: speech,
    script: excerpt,
    tracks: onlyManager,
    encode: mp3(32),
  },
  {
    name: 'quiet.mp3',
    about: 'speech at -40 dB',
    content: 'mp3',
    expected: speech,
    script: excerpt,
    tracks: quiet,
    encode: mp3(32),
  },
  {
    name: 'crosstalk.mp3',
    about: 'each channel carries the other person at -20 dB',
    content: 'mp3',
    expected: speech,
    script: excerpt,
    tracks: crosstalk,
    encode: mp3(32),
  },
  {
    name: 'long-pauses.mp3',
    about: 'five sentences between pauses of up to twenty seconds',
    content: 'mp3',
    expected: speech,
    script: 'long-pauses',
    tracks: stereo,
    encode: mp3(24),
  },
  {
    name: 'russian.mp3',
    about: 'Russian: manager left, customer right',
    content: 'mp3',
    expected: speech,
    script: 'russian',
    tracks: stereo,
    encode: mp3(32),
  },

  {
    name: 'silence.mp3',
    about: 'thirty seconds of a quiet room',
    content: 'mp3',
    expected: noSpeech,
    tracks: noise(30),
    encode: mp3(16),
  },
  {
    name: 'tenth-of-a-second.wav',
    about: 'a tenth of a second of a quiet room',
    content: 'wav',
    expected: noSpeech,
    tracks: noise(0.1),
    encode: wav,
  },
  {
    name: 'hold-music.mp3',
    about: 'twenty seconds of slow chords',
    content: 'mp3',
    expected: noSpeech,
    tracks: () => [holdMusic(20)],
    encode: mp3(24),
  },

  {
    name: 'truncated.m4a',
    about: 'MP4 whose index was at the end and is lost',
    content: 'm4a',
    expected: { upload: [202, 422], ends: 'failed' },
    tracks: stereo,
    script: excerpt,
    encode: m4a,
    afterwards: { cut: 0.6 },
  },
  {
    name: 'empty.mp3',
    about: 'a file of no bytes',
    content: 'empty',
    expected: { upload: [422], ends: null },
    bytes: 'empty',
  },
  {
    name: 'text-named.mp3',
    about: 'a text file with the name of an MP3',
    content: 'text',
    expected: refused,
    bytes: 'text',
  },
  { name: 'document.pdf', about: 'a PDF', content: 'pdf', expected: refused, bytes: 'pdf' },
  { name: 'picture.png', about: 'a picture', content: 'png', expected: refused, bytes: 'png' },
  {
    name: 'webm-audio.webm',
    about: 'Opus in WebM: audio, and not one of the seven formats',
    content: 'webm',
    expected: refused,
    tracks: mono,
    script: excerpt,
    encode: ['-c:a', 'libopus', '-b:a', '24k', '-f', 'webm'],
  },
];

/** The stereo file of each script in which each person is alone on a channel. */
export const REFERENCES: Readonly<Record<string, string>> = {
  [call]: 'bundled-call.mp3',
  [excerpt]: 'excerpt.mp3',
  'long-pauses': 'long-pauses.mp3',
  russian: 'russian.mp3',
};
