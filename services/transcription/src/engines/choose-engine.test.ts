import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLogger, readSettings, SettingsError } from '@call-analytics/service-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { transcriptionSettings } from '../settings.ts';
import { chooseSpeechEngine } from './choose-engine.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'choose-'));
});
afterEach(() => rm(dir, { recursive: true }));

function choose(env: Record<string, string>, now = new Date('2026-11-21')) {
  const lines: string[] = [];
  const log = makeLogger('test', 'info', { write: (line) => lines.push(line) });
  const settings = readSettings(transcriptionSettings, { WHISPER_MODELS_DIR: dir, ...env });
  return { engine: chooseSpeechEngine(settings, { clock: { now: () => now }, log }), lines };
}

describe('choosing the speech engine', () => {
  it('takes OpenAI where there is a key or an address', async () => {
    expect(await choose({ OPENAI_API_KEY: 'sk-x' }).engine).toMatchObject({ name: 'openai', model: 'gpt-transcribe' });
    expect(
      await choose({ OPENAI_BASE_URL: 'http://localhost:1/v1', TRANSCRIPTION_MODEL: 'Systran/faster-whisper-small' })
        .engine,
    ).toMatchObject({ name: 'openai', model: 'Systran/faster-whisper-small' });
  });

  it('takes the endpoint for speech where the analysis has another', async () => {
    expect(await choose({ TRANSCRIPTION_BASE_URL: 'http://localhost:1/v1' }).engine).toMatchObject({ name: 'openai' });
  });

  it('refuses a model that OpenAI has shut down, and names its successor', async () => {
    const { engine } = choose({ OPENAI_API_KEY: 'k', TRANSCRIPTION_MODEL: 'whisper-1' }, new Date('2027-02-26'));
    await expect(engine).rejects.toThrow(/TRANSCRIPTION_MODEL is "whisper-1".*use gpt-transcribe/);
  });

  it('names every way out where nothing can be used', async () => {
    const { engine } = choose({});
    await expect(engine).rejects.toThrow(SettingsError);
    await expect(engine).rejects.toThrow(/OPENAI_API_KEY[\s\S]*OPENAI_BASE_URL[\s\S]*npm run whisper -- fetch base/);
  });

  it('does not take another engine than the one asked for', async () => {
    await expect(
      choose({ TRANSCRIPTION_ENGINE: 'whisper', OPENAI_API_KEY: 'sk-x', TRANSCRIPTION_MODEL: 'small' }).engine,
    ).rejects.toThrow(/whisper model "small" is not in/);
    await expect(choose({ TRANSCRIPTION_ENGINE: 'openai' }).engine).rejects.toThrow(/neither a key nor a base URL/);
  });

  it('says that a model is about to be shut down', async () => {
    const { engine, lines } = choose(
      { OPENAI_API_KEY: 'sk-x', TRANSCRIPTION_MODEL: 'whisper-1' },
      new Date('2027-02-01'),
    );
    await engine;
    expect(lines.join()).toContain('2027-02-26');
  });
});
