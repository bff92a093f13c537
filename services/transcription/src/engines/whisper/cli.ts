import { join } from 'node:path';
import { failureOf, readArguments, readSettings, SettingsError } from '@call-analytics/service-kit';
import { z } from 'zod';
import { VOICE_MODEL } from '../../voices/voice-model.ts';
import { type FetchOptions, fetchWhisperModel, findWhisperModel, WHISPER_MODELS } from './models.ts';

export const USAGE = `Speech models for transcription on this machine.

  npm run whisper -- list            lists the models and which of them are downloaded
  npm run whisper -- fetch [MODEL]   downloads a model, "base" by default; resumes a broken download
  npm run whisper -- fetch campplus  downloads the speaker embedding model, which separates similar voices in one channel
  npm run whisper -- --help          prints this text

  DATA_DIR             the data folder, ./data by default
  WHISPER_MODELS_DIR   the folder of the models, DATA_DIR/models by default

Exits with 0 on success, 1 on failure, 2 when the command is not known.`;

const Settings = z.object({
  DATA_DIR: z.string().default('./data').describe('a folder'),
  WHISPER_MODELS_DIR: z.string().optional().describe('a folder'),
});

type Source = Pick<FetchOptions, 'baseUrl' | 'models'>;

const MODELS = [...WHISPER_MODELS, VOICE_MODEL];

/**
 * Runs one command about models.
 * @param args the arguments after the program's name
 * @param env the environment, for the folders
 * @param source other models than the published ones
 * @returns the exit code: 0 on success, 1 on failure, 2 for an unknown command
 */
export async function runWhisperCli(
  args: readonly string[],
  env: Record<string, string | undefined>,
  out: Terminal,
  err: Pick<Terminal, 'write'>,
  source: Source = {},
): Promise<0 | 1 | 2> {
  const read = readArguments({ args, options: { help: { type: 'boolean' } }, allowPositionals: true });
  if ('wrong' in read) {
    err.write(`${read.wrong}\n\n${USAGE}\n`);
    return 2;
  }
  const [command, model = 'base', ...others] = read.positionals;
  try {
    const { DATA_DIR, WHISPER_MODELS_DIR: dir = join(DATA_DIR, 'models') } = readSettings(Settings, env);
    if (read.values.help || command === 'help') {
      out.write(`${USAGE}\n`);
    } else if (command === 'list' && read.positionals.length === 1) {
      await list(dir, out, source);
    } else if (command === 'fetch' && others.length === 0) {
      await fetchTo(dir, model, out, source);
    } else {
      err.write(`${USAGE}\n`);
      return 2;
    }
    return 0;
  } catch (error) {
    const message = error instanceof SettingsError ? error.message : failureOf(error).message;
    err.write(`${message}\n`);
    return 1;
  }
}

async function list(dir: string, out: Terminal, { models = MODELS }: Source): Promise<void> {
  for (const { name, bytes } of models) {
    const speech = name.endsWith('.en') ? 'English' : 'many languages';
    const purpose = name === VOICE_MODEL.name ? 'voices' : speech;
    const here = (await findWhisperModel(dir, name, models)) === null ? '' : '   downloaded';
    out.write(`${`${name.padEnd(20)}${megabytes(bytes).padStart(8)}   ${purpose.padEnd(14)}${here}`.trimEnd()}\n`);
  }
}

async function fetchTo(dir: string, model: string, out: Terminal, given: Source): Promise<void> {
  const source = { models: MODELS, ...given };
  const there = await findWhisperModel(dir, model, source.models);
  if (there !== null) {
    out.write(`The model "${model}" is already downloaded: ${there}\n`);
    return;
  }
  const progress = progressOn(out);
  try {
    const file = await fetchWhisperModel({ dir, model, onProgress: progress.show, ...source });
    progress.end();
    out.write(
      `The model "${model}" is downloaded and verified: ${file}\n` +
        (model === VOICE_MODEL.name
          ? 'The transcription service uses it from its next start on.\n'
          : `Transcribe with it: TRANSCRIPTION_ENGINE=whisper TRANSCRIPTION_MODEL=${model}\n`),
    );
  } finally {
    progress.end();
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

interface Terminal {
  write(text: string): unknown;
  /** Whether it is a terminal, where a line can be overwritten. */
  isTTY?: boolean;
}

interface Progress {
  show(progress: { bytes: number; totalBytes: number }): void;
  /** Ends the line of the bar. */
  end(): void;
}

const BAR_CELLS = 30;

/** A bar on a terminal; elsewhere, such as in a build log, a line for each tenth. */
function progressOn(out: Terminal): Progress {
  let shown = '';
  const show = ({ bytes, totalBytes }: { bytes: number; totalBytes: number }) => {
    const share = bytes / totalBytes;
    const done = `${Math.round(bytes / 1e6)} of ${Math.round(totalBytes / 1e6)} MB`;
    const cells = Math.floor(share * BAR_CELLS);
    const text = out.isTTY
      ? `\r${'█'.repeat(cells)}${'░'.repeat(BAR_CELLS - cells)} ${String(Math.floor(share * 100)).padStart(3)} %  ${done}`
      : `${Math.floor(share * 10) * 10} %\n`;
    if (text === shown) return;
    shown = text;
    out.write(text);
  };
  const end = () => {
    if (out.isTTY && shown !== '') out.write('\n');
    shown = '';
  };
  return { show, end };
}
