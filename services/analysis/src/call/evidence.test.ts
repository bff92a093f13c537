import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Line } from '@call-analytics/calls';
import { describe, expect, it } from '@jest/globals';
import { locate } from './evidence.ts';

const ROLES: Readonly<Record<string, Line['role']>> = { M: 'manager', C: 'customer' };
const PLANTED = readFileSync(join(import.meta.dirname, 'planted-quotes.txt'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((call) => {
    const [name = '', ...parts] = call.split(/^### /m).map((part) => part.trim());
    const rows = (title: string) =>
      parts
        .find((part) => part.startsWith(title))
        ?.split('\n')
        .slice(1) ?? [];
    const lines = rows('said').map((row, index): Line => {
      const by = row.slice(0, 1);
      return {
        role: ROLES[by] ?? 'other',
        speaker: 'MC'.indexOf(by),
        startMs: index,
        endMs: index,
        text: row.slice(2),
      };
    });
    return { name, lines, true: rows('true'), false: rows('false') };
  });

const planted = (kind: 'true' | 'false') =>
  PLANTED.flatMap(({ name, lines, [kind]: quotes }) =>
    quotes.map((row) => {
      const [, line, by = '', quote = ''] = /^(\d+) ([MC]) (.*)$/.exec(row) ?? [];
      return { name: `${name} ${row}`, lines, found: locate(quote, lines, Number(line), ROLES[by]) };
    }),
  );

function said(...texts: string[]): Line[] {
  return texts.map((text, index) => ({
    role: index % 2 ? 'customer' : 'manager',
    speaker: index % 2,
    startMs: 0,
    endMs: 1,
    text,
  }));
}

describe('planted quotes', () => {
  it('of 200 false or misleading ones, none is evidence', () => {
    const quotes = planted('false');
    expect(quotes.length).toBeGreaterThanOrEqual(200);
    expect(quotes.filter(({ found }) => found !== null).map(({ name }) => name)).toEqual([]);
  });

  it('of 100 true ones with small differences, at least 95 are evidence', () => {
    const quotes = planted('true');
    expect(quotes.length).toBeGreaterThanOrEqual(100);
    expect(
      quotes
        .filter(({ found }) => found === null)
        .map(({ name }) => name)
        .slice(Math.floor(quotes.length / 20)),
    ).toEqual([]);
  });

  it('are given in the words of the line', () => {
    const found = planted('true').flatMap(({ found, lines }) => (found === null ? [] : [{ ...found, lines }]));
    expect(found.every(({ quote, line, lines }) => lines[line]?.text.includes(quote))).toBe(true);
  });
});

describe('a quote', () => {
  const lines = said('It costs $5 (five), okay?\nSure.', 'That sounds good to me.', 'And that sounds good to me.');
  it('keeps the words, marks and white space of the line', () => {
    expect(locate('it costs $5, five, OKAY sure.', lines)).toEqual({
      quote: 'It costs $5 (five), okay?\nSure.',
      line: 0,
    });
  });
  it.each(['it costs', 'It costs $6', 'It costs .*', '', '   ', '…', '\u0000', '<b>', 'costs $5'])(
    'is not found otherwise: %j',
    (quote) => {
      expect(locate(quote, said('It costs $5'))).toBeNull();
    },
  );
  it('of a question keeps the question mark', () => {
    expect(locate('it costs five okay', said('It costs five, okay? Sure.'))?.quote).toBe('It costs five, okay?');
  });
  it('is taken from the line named or beside it, else only when no other line has it', () => {
    expect(locate('that sounds good to me', lines, 2)?.line).toBe(2);
    expect(locate('that sounds good to me', lines, 0)?.line).toBe(1);
    expect(locate('that sounds good to me', [...said('One', 'Two', 'Three'), ...lines], 0)).toBeNull();
    expect(locate('it costs five okay', [...said('One', 'Two', 'Three'), ...said('It costs five okay')], 0)?.line).toBe(
      3,
    );
  });
  it('is not the words of a sentence that began in the line before', () => {
    const broken = [...said("it's not that"), ...said("i don't trust you", 'mhm')];
    expect(locate("i don't trust you", broken, 1)).toBeNull();
  });
  it('may stand elsewhere in the line where it is meant', () => {
    const twice = said("He said i don't trust you. I told him, that is true: i don't trust you!");
    expect(locate("i don't trust you", twice)?.quote).toBe("i don't trust you");
  });
  it('is found in signs without spaces, and with invisible marks', () => {
    expect(locate('我们不买', said('好的,我们不买。'))?.quote).toBe('我们不买');
    expect(locate('let us do it', said('Let\u202e us\u200b do it'))?.line).toBe(0);
  });
  it('takes time in proportion to the text', () => {
    const quote = `${'a b '.repeat(300)}c`;
    const processorMs = (words: number) => {
      const long = said('no no no '.repeat(words) + 'a b '.repeat(words));
      const { user } = process.cpuUsage();
      expect(locate(quote, long)).toBeNull();
      return (process.cpuUsage().user - user) / 1_000;
    };
    // The lower of two: a part of the time is spent on garbage. The shorter text takes some clock ticks of 4 ms.
    const least = (words: number) => Math.min(processorMs(words), processorMs(words));
    processorMs(10_000);
    // Eight times the text takes about eight times as long, and not 64 times.
    expect(least(80_000) / least(10_000)).toBeLessThan(24);
  });
});
