import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { byteSize, duration, readSettings, SettingsError, wholeNumber } from './settings.ts';

const schema = z.object({
  PORT: wholeNumber({ min: 0, max: 65_535 }).prefault('8080').describe('the port to listen on; 0 takes any free one'),
  ENGINE: z.enum(['openai', 'whisper']).describe('which engine transcribes'),
  API_KEY: z.string().startsWith('sk-').optional(),
  DATABASE_URL: z.url({ protocol: /^mongodb$/ }).optional(),
});

function errorOf(env: Record<string, string>): string {
  try {
    readSettings(schema, env);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error('the settings were taken');
}

describe('settings', () => {
  it('are read by their names, with defaults, and leave the rest of the environment out', () => {
    expect(readSettings(schema, { ENGINE: 'whisper', HOME: '/root' })).toEqual({ PORT: 8080, ENGINE: 'whisper' });
  });

  it('count as unset when empty', () => {
    expect(readSettings(schema, { ENGINE: 'openai', PORT: '', API_KEY: '' })).toEqual({ PORT: 8080, ENGINE: 'openai' });
    expect(errorOf({ ENGINE: '' })).toContain('ENGINE is not set');
  });

  it('that are wrong are all named, each with its value, what is allowed and what it is for', () => {
    const message = errorOf({ PORT: '80a', ENGINE: 'siri' });
    expect(message).toContain(
      'PORT is "80a": must be a whole number from 0 to 65535 (the port to listen on; 0 takes any free one)',
    );
    expect(message).toMatch(/ENGINE is "siri": .*"openai"\|"whisper".*\(which engine transcribes\)/);
  });

  it('that are wrong and secret are named without their value', () => {
    const message = errorOf({ ENGINE: 'openai', API_KEY: 'hunter2' });
    expect(message).toContain('API_KEY has a wrong value');
    expect(message).not.toContain('hunter2');
  });

  it('that are wrong addresses are shown without the password in them', () => {
    const message = errorOf({ ENGINE: 'openai', DATABASE_URL: 'mysql://admin:hunter2@db.example/calls' });
    expect(message).toContain('DATABASE_URL is "mysql://[hidden]@db.example/calls"');
    expect(message).not.toContain('hunter2');
  });

  it('that contradict each other are told in the words of the rule', () => {
    const pair = z.object({ LOW: wholeNumber({ min: 0, max: 9 }), HIGH: wholeNumber({ min: 0, max: 9 }) });
    const ordered = pair.refine(({ LOW, HIGH }) => LOW <= HIGH, 'LOW must not be above HIGH');
    expect(() => readSettings(ordered, { LOW: '3', HIGH: '2' })).toThrow(
      new SettingsError('Wrong settings:\n  LOW must not be above HIGH'),
    );
  });
});

describe('a whole number', () => {
  it('is taken within its bounds and nowhere else', () => {
    const number = wholeNumber({ min: 1, max: 100 });
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 10_000 }), (n) =>
        expect(number.safeParse(String(n)).success).toBe(n >= 1 && n <= 100),
      ),
    );
  });

  it.each(['1.5', '1e2', '0x10', '-1', '+1', ' 1', '1 ', 'one', '١', '9'.repeat(400)])('is not %j', (text) => {
    expect(wholeNumber({ min: 0, max: 2 ** 40 }).safeParse(text).success).toBe(false);
  });
});

describe('a duration', () => {
  it.each([
    ['0ms', 0],
    ['500ms', 500],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
  ])('of %s is %d milliseconds', (text, ms) => {
    expect(duration().parse(text)).toBe(ms);
  });

  it.each(['', '5', '5 s', '-5s', '1.5h', '5S', '5min', 's', '1h30m', `${'9'.repeat(400)}d`])('is not %j', (text) => {
    expect(duration().safeParse(text).success).toBe(false);
  });

  it('is kept within its bounds', () => {
    const interval = duration({ min: '1s', max: '24d' });
    expect(['999ms', '1s', '24d', '25d'].map((text) => interval.safeParse(text).success)).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(interval.safeParse('0s').error?.issues[0]?.message).toContain('from 1s to 24d');
  });
});

describe('a size', () => {
  it.each([
    ['0', 0],
    ['1048576', 1_048_576],
    ['3kB', 3_000],
    ['25MB', 25_000_000],
    ['1GB', 1_000_000_000],
    ['3KiB', 3_072],
    ['25MiB', 26_214_400],
    ['2GiB', 2_147_483_648],
  ])('of %s is %d bytes', (text, bytes) => {
    expect(byteSize().parse(text)).toBe(bytes);
  });

  it.each(['', '25 MB', '25mb', '1.5GiB', '-1', 'GiB', '1TB', `${'9'.repeat(400)}GiB`])('is not %j', (text) => {
    expect(byteSize().safeParse(text).success).toBe(false);
  });
});
