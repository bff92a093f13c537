import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { readStandaloneSettings, standaloneSettings } from './standalone.ts';

const example = parseEnv(
  readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8').replace(/^# ([A-Z_]+=)/gm, '$1'),
) as Record<string, string>;

describe('.env.example', () => {
  it('has every setting of the service and of docker compose, and no other', () => {
    const compose = readFileSync(new URL('../../../docker-compose.yml', import.meta.url), 'utf8');
    const ofCompose = [...compose.matchAll(/(?<!\$)\$\{([A-Z0-9_]+)/g)].map(([, name]) => String(name));
    expect(Object.keys(example).sort()).toEqual(
      [...new Set([...Object.keys(standaloneSettings.shape), ...ofCompose])].sort(),
    );
  });

  it('shows the defaults', () => {
    const set = Object.fromEntries(Object.entries(example).filter(([, value]) => value !== ''));
    expect(readStandaloneSettings(set)).toEqual(readStandaloneSettings({}));
  });
});
