import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { readStandaloneSettings, standaloneSettings } from './settings.ts';

const example = parseEnv(
  readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8').replace(/^# ([A-Z_]+=)/gm, '$1'),
) as Record<string, string>;

describe('.env.example', () => {
  it('has every setting there is and no other', () => {
    expect(Object.keys(example).sort()).toEqual(Object.keys(standaloneSettings.shape).sort());
  });

  it('shows the defaults', () => {
    const set = Object.fromEntries(Object.entries(example).filter(([, value]) => value !== ''));
    expect(readStandaloneSettings(set)).toEqual(readStandaloneSettings({}));
  });
});
