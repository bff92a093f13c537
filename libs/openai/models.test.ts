import { describe, expect, it } from '@jest/globals';
import {
  assertPriced,
  assertServed,
  DEFAULT_CHAT_MODEL,
  DEFAULT_SPEECH_MODEL,
  estimatedDollars,
  modelFacts,
  shutdownWarning,
  tokenPriceOf,
} from './index.ts';
import { MODELS } from './models.ts';

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
      'The model gpt-5-mini shuts down on 2026-12-11, in 20 days: use gpt-6.1-terra.',
    );
    expect(shutdownWarning('gpt-5-mini', new Date('2026-12-10T09:00:00Z'))).toContain('in 1 day:');
  });
  it('says so when the day has come or is past', () => {
    expect(shutdownWarning('o4-mini', today)).toBe('The model o4-mini was shut down on 2026-10-23: use gpt-6-luna.');
    expect(shutdownWarning('gpt-5-mini', new Date('2026-12-11T00:00:00Z'))).toContain('was shut down');
  });
  it('is silent for a day far off, for none, and for a model it does not know', () => {
    expect(shutdownWarning('gpt-4o-transcribe', today)).toBeNull();
    expect(shutdownWarning('gpt-5.6-luna', today)).toBeNull();
    expect(shutdownWarning('llama-5', today)).toBeNull();
  });
});

describe('a model that is shut down', () => {
  const later = new Date('2027-02-26T00:00:00Z');
  it('is refused with the name of its successor, at the endpoint of OpenAI only', () => {
    expect(() => assertServed('whisper-1', 'TRANSCRIPTION_MODEL', undefined, later)).toThrow(
      'TRANSCRIPTION_MODEL is "whisper-1". The model whisper-1 was shut down on 2027-02-26: use gpt-transcribe.',
    );
    expect(() => assertServed('gpt-4o-2024-11-20', 'ANALYSIS_MODEL', undefined, later)).toThrow('use gpt-6-luna.');
    expect(() => assertServed('whisper-1', 'TRANSCRIPTION_MODEL', 'http://localhost/v1', later)).not.toThrow();
  });
  it('is not one that still answers, or that the table does not have', () => {
    expect(() => assertServed('whisper-1', 'TRANSCRIPTION_MODEL', undefined, new Date('2027-02-25'))).not.toThrow();
    expect(() => assertServed('llama-5', 'ANALYSIS_MODEL', undefined, later)).not.toThrow();
  });
});

describe('the default models', () => {
  it('are alive, and the chat model is the one that the rule names', () => {
    // A call of half an hour: the instructions and 5,000 words, and the answer with the thoughts of the model.
    const tokens = { input: 12_000, output: 6_000 };
    const dollars = (model: string) => estimatedDollars(model, { tokens }) ?? Number.POSITIVE_INFINITY;
    const [cheapest] = Object.entries(MODELS)
      .filter(([, { chat, price, shutdown }]) => chat !== undefined && price !== undefined && shutdown === undefined)
      .map(([name]) => name)
      .toSorted((a, b) => dollars(a) - dollars(b));
    expect(cheapest).toBe(DEFAULT_CHAT_MODEL);
    expect(modelFacts(DEFAULT_CHAT_MODEL)).not.toHaveProperty('shutdown');
    expect(modelFacts(DEFAULT_SPEECH_MODEL)).not.toHaveProperty('shutdown');
  });
});

describe('the estimated cost of a request', () => {
  it('goes by minutes of audio where these are charged for', () => {
    expect(estimatedDollars('gpt-transcribe', { seconds: 120, tokens: { input: 1, output: 1 } })).toBeCloseTo(
      0.009,
      10,
    );
  });

  it('goes by tokens where these are charged for, of a dated snapshot as of its model', () => {
    const used = { seconds: 1, tokens: { input: 100_000, output: 10_000 } };
    expect(estimatedDollars('gpt-5.6-luna', used)).toBeCloseTo(0.02 + 0.012, 10);
    expect(estimatedDollars('gpt-5.6-luna-2026-07-09', used)).toBeCloseTo(0.032, 10);
  });

  it('is higher for all of a request whose prompt is long', () => {
    expect(estimatedDollars('gpt-5.6-luna', { tokens: { input: 272_000, output: 0 } })).toBeCloseTo(0.0544, 10);
    expect(estimatedDollars('gpt-5.6-luna', { tokens: { input: 300_000, output: 10_000 } })).toBeCloseTo(
      0.12 + 0.018,
      10,
    );
  });

  it('is lower for what the provider had cached', () => {
    const tokens = { input: 100_000, output: 0, cached: 50_000 };
    expect(estimatedDollars('gpt-6-luna', { tokens })).toBeCloseTo(0.005 + 0.0005, 10);
  });

  it('is higher for what the provider writes to its cache', () => {
    const tokens = { input: 100_000, output: 0, cached: 20_000, cacheWrite: 40_000 };
    expect(estimatedDollars('gpt-6-luna', { tokens })).toBeCloseTo(0.004 + 0.0002 + 0.005, 10);
  });

  it('goes by the price that is set, before that of the table', () => {
    const tokens = { input: 100_000, output: 10_000, cached: 50_000, cacheWrite: 10_000 };
    const price = tokenPriceOf('input=1 output=4 cached=0.5 cache-write=2');
    expect(estimatedDollars('llama-5', { tokens }, price)).toBeCloseTo(0.04 + 0.04 + 0.025 + 0.02, 10);
    expect(estimatedDollars('gpt-6-luna', { tokens }, tokenPriceOf('input=0 output=0'))).toBe(0);
    expect(estimatedDollars('whisper-large', { seconds: 90 }, { minute: 0.02 })).toBeCloseTo(0.03, 10);
  });

  it('is not made up where the price, or what is charged for, is not known', () => {
    expect(estimatedDollars('llama-5', { seconds: 60, tokens: { input: 1, output: 1 } })).toBeNull();
    expect(estimatedDollars('whisper-1', { seconds: 60 })).toBeNull();
    expect(estimatedDollars('gpt-transcribe', { tokens: { input: 1, output: 1 } })).toBeNull();
    expect(estimatedDollars('gpt-5.6-luna', { seconds: 60 })).toBeNull();
  });
});

describe('a model without a known price', () => {
  const check = (model: string, price?: Parameters<typeof assertPriced>[1], limit: number | undefined = 5) =>
    assertPriced(model, price, limit, { model: 'ANALYSIS_MODEL', price: 'ANALYSIS_PRICE' });

  it('is refused with a spending limit, which would not count it, until its price is set', () => {
    expect(() => check('llama-5')).toThrow(
      'SPENDING_LIMIT_PER_DAY is 5, but the price of ANALYSIS_MODEL "llama-5" is not known: set ANALYSIS_PRICE',
    );
    check('llama-5', tokenPriceOf('input=0 output=0'));
    check('gpt-6-luna');
    assertPriced('llama-5', undefined, undefined, { model: '', price: '' });
  });
});
