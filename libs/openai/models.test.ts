import { describe, expect, it } from '@jest/globals';
import { modelFacts, shutdownWarning } from './index.ts';

describe('the table of models', () => {
  it('knows the limits of a speech model', () => {
    expect(modelFacts('gpt-transcribe')?.transcription).toMatchObject({
      maxBytes: 25_000_000,
      languageParameter: 'languages[]',
      diarizes: false,
    });
    expect(modelFacts('gpt-4o-transcribe-diarize')?.transcription).toMatchObject({
      maxSeconds: 1400,
      languageParameter: 'language',
      diarizes: true,
    });
  });

  it('keeps every safe piece within what the endpoint accepts', () => {
    for (const name of [
      'gpt-transcribe',
      'gpt-4o-transcribe',
      'gpt-4o-mini-transcribe',
      'gpt-4o-transcribe-diarize',
      'whisper-1',
    ]) {
      const facts = modelFacts(name)?.transcription;
      expect(facts?.safeSeconds).toBeLessThanOrEqual(Math.min(facts?.maxSeconds ?? 0, 480));
    }
  });

  it('takes a dated snapshot for its model', () => {
    expect(modelFacts('gpt-4o-2024-11-20')).toEqual(modelFacts('gpt-4o'));
  });

  it('knows nothing of a model that is not in it, whatever its name', () => {
    expect(modelFacts('llama-5-whisper')).toBeNull();
    expect(modelFacts('constructor')).toBeNull();
    expect(modelFacts('__proto__')).toBeNull();
  });
});

describe('the warning about a shutdown', () => {
  const today = new Date('2026-11-21T09:00:00Z');
  it('names the day when it is within 60 days', () => {
    expect(shutdownWarning('gpt-5-mini', today)).toBe(
      'The model gpt-5-mini shuts down on 2026-12-11, in 20 days: choose another one.',
    );
    expect(shutdownWarning('gpt-5-mini', new Date('2026-12-10T09:00:00Z'))).toContain('in 1 day:');
  });
  it('says so when the day has come or is past', () => {
    expect(shutdownWarning('o4-mini', today)).toBe(
      'The model o4-mini was shut down on 2026-10-23: choose another one.',
    );
    expect(shutdownWarning('gpt-5-mini', new Date('2026-12-11T00:00:00Z'))).toContain('was shut down');
  });
  it('is silent for a day far off, for none, and for a model it does not know', () => {
    expect(shutdownWarning('gpt-4o-transcribe', today)).toBeNull();
    expect(shutdownWarning('gpt-5.6-luna', today)).toBeNull();
    expect(shutdownWarning('llama-5', today)).toBeNull();
  });
});
