import { join } from 'node:path';
import { failureOf, readSettings, SettingsError } from '@call-analytics/service-kit';
import { z } from 'zod';
import { type FetchOptions, fetchWhisperModel } from './fetch.ts';
import { findWhisperModel } from './find.ts';
import { WHISPER_MODELS } from './models.ts';
import { progressOn, type Terminal } from './progress.ts';

export const USAGE = `Speech models for transcription on this machine.

  npm run whisper -- list            the models, and which of them are here
  npm run whisper -- fetch [MODEL]   fetch one, "base" unless named; goes on where it was cut
  npm run whisper -- --help          this text

  DATA_DIR             folder of the data, ./data unless set
  WHISPER_MODELS_DIR   folder of the models, DATA_DIR/models unless set

Exits with 0 when done, 1 when it could not be done, 2 when the command is not understood.`;

const Settings = z.object({
  DATA_DIR: z.string().default('./data').describe('a folder'),
  WHISPER_MODELS_DIR: z.string().optional().describe('a folder'),
});

type Source = Pick<FetchOptions, 'baseUrl' | 'models'>;

/**
 * Runs one command about models.
 * @param args what stands behind the program's name
 * @param env the environment, for the folders
 * @param source other models than the published ones
 * @returns the exit code: 0 done, 1 could not be done, 2 not understood
 */
export async function runWhisperCli(
  args: readonly string[],
  env: Record<string, string | undefined>,
  out: Terminal,
  err: Pick<Terminal, 'write'>,
  source: Source = {},
): Promise<0 | 1 | 2> {
  const [command, model = 'base', ...others] = args;
  try {
    const { DATA_DIR, WHISPER_MODELS_DIR: dir = join(DATA_DIR, 'models') } = readSettings(Settings, env);
    if (command === '--help' || command === 'help') {
      out.write(`${USAGE}\n`);
    } else if (command === 'list' && args.length === 1) {
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

async function list(dir: string, out: Terminal, { models = WHISPER_MODELS }: Source): Promise<void> {
  for (const { name, bytes } of models) {
    const languages = name.endsWith('.en') ? 'English' : 'many languages';
    const here = (await findWhisperModel(dir, name, models)) === null ? '' : '   here';
    out.write(`${`${name.padEnd(20)}${megabytes(bytes).padStart(8)}   ${languages.padEnd(14)}${here}`.trimEnd()}\n`);
  }
}

async function fetchTo(dir: string, model: string, out: Terminal, source: Source): Promise<void> {
  const there = await findWhisperModel(dir, model, source.models);
  if (there !== null) {
    out.write(`The model "${model}" is here already: ${there}\n`);
    return;
  }
  const progress = progressOn(out);
  try {
    const file = await fetchWhisperModel({ dir, model, onProgress: progress.show, ...source });
    progress.end();
    out.write(
      `The model "${model}" is here, and its hash is right: ${file}\nTranscribe with it: TRANSCRIPTION_ENGINE=whisper TRANSCRIPTION_MODEL=${model}\n`,
    );
  } finally {
    progress.end();
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
