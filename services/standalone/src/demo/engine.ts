import { readFile, stat } from 'node:fs/promises';
import { SettingsError } from '@call-analytics/service-kit';
import { pocketsphinxPresent, startStandIn } from '@call-analytics/stand-in';
import { findWhisperModel } from '@call-analytics/transcription';
import { BUNDLED_CALL } from './arguments.ts';
import { offerWhisperModel } from './whisper-offer.ts';

export interface DemoEngine {
  /** One sentence for the person at the terminal: what the transcript comes from. */
  description: string;
  /** Settings that make the service use it. */
  settings: Record<string, string>;
  close(): Promise<void>;
}

type Environment = Record<string, string | undefined>;

/**
 * The best speech engine this machine has, real ones first. A replayed transcript is the last resort, only ever for the bundled call, and says so.
 * @throws SettingsError when the caller's own file would need an engine that is not there
 */
export async function chooseDemoEngine(env: Environment, file: string): Promise<DemoEngine> {
  const chosen = env.TRANSCRIPTION_ENGINE;
  if (chosen !== 'whisper' && (env.OPENAI_API_KEY || env.OPENAI_BASE_URL)) {
    return {
      description: `OpenAI-compatible endpoint ${env.OPENAI_BASE_URL || 'api.openai.com'}`,
      settings: {},
      close: nothingToClose,
    };
  }
  return (await whisper(env)) ?? (await standIn(file));
}

async function whisper(env: Environment): Promise<DemoEngine | null> {
  const model = env.TRANSCRIPTION_MODEL || 'base';
  // Where `npm run whisper -- fetch` puts them: also when the demo keeps its own data elsewhere.
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

const nothingToClose = async () => {};
