import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scriptOptions } from '@call-analytics/service-kit';
import { type AudioFile, FILES, type Manifest, type SpokenTurn } from '@call-analytics/stand-in/recordings';
import { emptyPdf, noisePng } from './documents.ts';
import { RECORDINGS, REFERENCES, type Recording, type SpokenTracks } from './recordings.ts';
import { type Script, speakScript } from './speech.ts';
import { writeWav } from './wave.ts';

scriptOptions(`Makes the recordings of services/stand-in again, from test/audio/scripts: npm run audio`);

const TOOLS = { flite: 'flite', 'espeak-ng': 'espeak-ng', ffmpeg: 'ffmpeg', ffprobe: 'ffmpeg' };

// Nothing of the machine or the moment goes into the files.
const EXACT = ['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact', '-threads', '1'];

const missing = Object.entries(TOOLS).filter(([tool]) => !runs(tool));
if (missing.length > 0) {
  const packages = [...new Set(missing.map(([, debianPackage]) => debianPackage))].join(' ');
  console.error(
    `Making the audio needs ${missing.map(([tool]) => tool).join(', ')}. On Debian: apt-get install ${packages}`,
  );
  process.exit(1);
}

const work = mkdtempSync(join(tmpdir(), 'make-audio-'));
try {
  make();
} finally {
  rmSync(work, { recursive: true });
}

function make(): void {
  const spoken = new Map<string, SpokenTracks & { turns: SpokenTurn[] }>();
  const manifest: Manifest = { scripts: {}, files: [] };
  for (const file of readdirSync(join(import.meta.dirname, 'scripts')).sort()) {
    const name = file.replace(/\.json$/, '');
    const script = JSON.parse(readFileSync(join(import.meta.dirname, 'scripts', file), 'utf8')) as Script;
    const tracks = speakScript(script, work);
    spoken.set(name, tracks);
    const reference = REFERENCES[name];
    if (reference === undefined) throw new Error(`no recording is made of scripts/${file}`);
    manifest.scripts[name] = { about: script.about, language: script.language, reference, turns: tracks.turns };
  }
  rmSync(FILES, { recursive: true, force: true });
  mkdirSync(FILES);
  const silent = { left: new Float32Array(0), right: new Float32Array(0) };
  for (const recording of RECORDINGS) {
    const bytes = bytesOf(recording, spoken.get(recording.script ?? '') ?? silent);
    writeFileSync(join(FILES, recording.name), bytes);
    manifest.files.push(described(recording, bytes));
  }
  writeFileSync(join(FILES, 'manifest.json'), `${manifestText(manifest)}\n`);
  const total = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  console.log(`${manifest.files.length} files, ${(total / 1e6).toFixed(2)} MB`);
}

function bytesOf(recording: Recording, spoken: SpokenTracks): Buffer {
  switch (recording.bytes) {
    case 'empty':
      return Buffer.alloc(0);
    case 'text':
      return Buffer.from('This is a note about a call, not a recording of one.\n'.repeat(20));
    case 'pdf':
      return emptyPdf();
    case 'png':
      return noisePng(32, 6);
    default:
  }
  const heard = join(work, 'heard.wav');
  const made = join(work, 'made');
  writeFileSync(heard, writeWav(recording.tracks?.(spoken) ?? []));
  const picture: string[] = [];
  if (recording.pictureSide !== undefined) {
    picture.push('-i', join(work, 'picture.png'));
    writeFileSync(join(work, 'picture.png'), noisePng(recording.pictureSide, 5));
  }
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', heard, ...picture, ...EXACT, ...(recording.encode ?? []), made]);
  const bytes = readFileSync(made);
  if (recording.afterwards === 'promise-4gb') {
    bytes.writeUInt32LE(0xffffffff, 4);
    bytes.writeUInt32LE(0xfffffff0, bytes.indexOf('data', 12, 'latin1') + 4);
  } else if (recording.afterwards !== undefined) {
    return bytes.subarray(0, Math.floor(bytes.length * recording.afterwards.cut));
  }
  return bytes;
}

function described(recording: Recording, bytes: Buffer): AudioFile {
  const sound = recording.tracks === undefined ? null : decoded(join(FILES, recording.name));
  return {
    name: recording.name,
    about: recording.about,
    content: recording.content,
    seconds: sound?.seconds ?? null,
    channels: sound?.channels ?? null,
    sampleRate: sound?.sampleRate ?? null,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    script: sound === null ? null : (recording.script ?? null),
    expected: recording.expected,
  };
}

/** What decoding really gives, headers aside; null when it gives nothing. */
function decoded(path: string): { seconds: number; channels: number; sampleRate: number } | null {
  try {
    const probe = [
      '-v',
      'error',
      '-select_streams',
      'a:0',
      '-show_entries',
      'stream=channels,sample_rate',
      '-of',
      'json',
      path,
    ];
    const { streams } = JSON.parse(
      execFileSync('ffprobe', probe, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    ) as {
      streams: { channels: number; sample_rate: string }[];
    };
    const stream = streams[0];
    if (stream === undefined) return null;
    const sampleRate = Number(stream.sample_rate);
    const pcm = execFileSync('ffmpeg', ['-v', 'quiet', '-i', path, '-map', '0:a:0', '-ac', '1', '-f', 's16le', '-'], {
      maxBuffer: 64 * 2 ** 20,
    });
    return { seconds: Math.round((pcm.length / 2 / sampleRate) * 1000) / 1000, channels: stream.channels, sampleRate };
  } catch {
    return null;
  }
}

/** One word a line would make the manifest long and its differences unreadable: words stay on one line. */
function manifestText(manifest: Manifest): string {
  return JSON.stringify(manifest, null, 1).replace(
    /\{\s+"text": ("(?:[^"\\]|\\.)*"),\s+"startMs": (\d+),\s+"endMs": (\d+)\s+\}/g,
    '{ "text": $1, "startMs": $2, "endMs": $3 }',
  );
}

function runs(tool: string): boolean {
  try {
    execFileSync(tool, [tool.startsWith('ff') ? '-version' : '--version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
