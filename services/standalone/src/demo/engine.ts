import { readFile, stat } from 'node:fs/promises';
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { SettingsError } from '@call-analytics/service-kit';
import { pocketsphinxPresent, startStandIn } from '@call-analytics/stand-in';
import { fetchWhisperModel, findWhisperModel, whisperModelOffer } from '@call-analytics/transcription';

/** The sales call that comes with the project: manager on the left channel, customer on the right. */
export const BUNDLED_CALL = fileURLToPath(import.meta.resolve('@call-analytics/stand-in/recordings/bundled-call.mp3'));

interface DemoEngine {
  /** For the terminal: where the transcript comes from. */
  description: string;
  /** The settings that select it. */
  settings: Record<string, string>;
  close(): Promise<void>;
}

const nothingToClose = async () => {};

type Environment = Record<string, string | undefined>;

/**
 * The best speech engine of this machine. Without one, the known transcript of the bundled call is replayed, and the
 * description says so.
 * @throws SettingsError for another recording without an engine
 */
export async function chooseDemoEngine(env: Environment, file: string): Promise<DemoEngine> {
  const chosen = env.TRANSCRIPTION_ENGINE;
  if (chosen !== 'whisper' && (env.OPENAI_API_KEY || env.OPENAI_BASE_URL || env.TRANSCRIPTION_BASE_URL)) {
    const endpoint = env.TRANSCRIPTION_BASE_URL || env.OPENAI_BASE_URL || 'api.openai.com';
    return { description: `OpenAI-compatible endpoint ${endpoint}`, settings: {}, close: nothingToClose };
  }
  return (await whisper(env)) ?? (await standIn(file));
}

async function whisper(env: Environment): Promise<DemoEngine | null> {
  const model = env.TRANSCRIPTION_MODEL || 'base';
  // The folder of `npm run whisper -- fetch`, even if the demo has another DATA_DIR.
  const dir = env.WHISPER_MODELS_DIR || `${env.DATA_DIR || './data'}/models`;
  const there = (await findWhisperModel(dir, model)) !== null || (await offerWhisperModel(dir, model));
  if (!there) return null;
  return {
    description: `Whisper (${model}) on this machine`,
    settings: { TRANSCRIPTION_ENGINE: 'whisper', TRANSCRIPTION_MODEL: model, WHISPER_MODELS_DIR: dir },
    close: nothingToClose,
  };
}

async function standIn(file: string): Promise<DemoEngine> {
  if (!(await sameBytes(file, BUNDLED_CALL))) {
    throw new SettingsError(
      [
        'No speech engine is set up, so your recording cannot be transcribed. Set one of these:',
        '  OPENAI_API_KEY=…               a key for OpenAI; OPENAI_BASE_URL=… for another compatible endpoint',
        '  TRANSCRIPTION_ENGINE=whisper   on this machine; first run: npm run whisper -- fetch base',
        'Without a speech engine, npm run demo shows the bundled call.',
      ].join('\n'),
    );
  }
  const real = await pocketsphinxPresent();
  const server = await startStandIn({ speech: real ? 'pocketsphinx' : 'known-text' });
  return {
    description: real
      ? 'pocketsphinx, behind a local OpenAI-compatible stand-in. It recognizes synthetic voices and mishears words.'
      : 'none on this machine. The transcript of the bundled call is REPLAYED from its known text, not recognized.',
    settings: {
      TRANSCRIPTION_ENGINE: 'openai',
      TRANSCRIPTION_MODEL: 'gpt-transcribe',
      OPENAI_BASE_URL: server.url,
      OPENAI_API_KEY: server.key,
      // A local server costs nothing.
      TRANSCRIPTION_PRICE: '0',
      ANALYSIS_ENGINE: 'rules',
    },
    close: () => server.close(),
  };
}

async function sameBytes(one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const [oneStat, otherStat] = await Promise.all([stat(one), stat(other)]);
  if (oneStat.size !== otherStat.size) return false;
  const [a, b] = await Promise.all([readFile(one), readFile(other)]);
  return a.equals(b);
}

/**
 * Offers to download a Whisper model. It asks only at a terminal and when the model can be reached, so that nothing
 * hangs without a network.
 * @returns whether the model is there now
 */
async function offerWhisperModel(dir: string, model: string): Promise<boolean> {
  if (!stdin.isTTY || !stdout.isTTY) return false;
  const offer = await whisperModelOffer(model);
  if (offer === null) return false;
  const terminal = createInterface({ input: stdin, output: stdout });
  const answer = await terminal.question(
    `No speech engine is set up. Download the Whisper model "${model}" (${Math.round(offer.bytes / 1e6)} MB) to ` +
      `${dir}? [y/N] `,
  );
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) return false;
  try {
    await fetchWhisperModel({
      dir,
      model,
      onProgress: ({ bytes, totalBytes }) => {
        const share = bytes / totalBytes;
        const bar = '█'.repeat(Math.round(share * 40)).padEnd(40, '░');
        stdout.write(`\r  ${bar} ${Math.round(share * 100)}% of ${Math.round(totalBytes / 1e6)} MB`);
      },
    });
    stdout.write('\n');
    return true;
  } catch (error) {
    stdout.write(`\n  ${error instanceof Error ? error.message : String(error)} Continuing without the model.\n`);
    return false;
  }
}
