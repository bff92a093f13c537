import { readFileSync } from 'node:fs';
import { MESSAGE_TYPES, QUEUE_NAMES } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { asyncapiText, FILE } from './document.ts';

interface Document {
  channels: Record<string, unknown>;
  operations: Record<string, unknown>;
}

const written = readFileSync(FILE, 'utf8');
const document = parse(written) as Document;

/** Every `$ref` in a document, however deep. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : references(inner)));
}

/** What a `#/...` reference points to. */
function at(reference: string): unknown {
  let here: unknown = document;
  for (const key of reference.slice(2).split('/')) here = (here as Record<string, unknown> | undefined)?.[key];
  return here;
}

describe('docs/asyncapi.yaml', () => {
  it('is generated from the present catalogue; if not, run npm run asyncapi', () => {
    expect(written).toBe(asyncapiText());
  });

  it('has every message, every queue and the exchange of subscribers', () => {
    expect(Object.keys(document.channels)).toHaveLength(MESSAGE_TYPES.length + QUEUE_NAMES.length + 1);
    expect(Object.keys(document.operations)).toHaveLength(MESSAGE_TYPES.length + QUEUE_NAMES.length + 1);
    expect(Object.keys((document.channels.calls_live as { messages: object }).messages).length).toBeGreaterThanOrEqual(
      MESSAGE_TYPES.length,
    );
  });

  it('has no broken reference', () => {
    const all = references(document);
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((reference) => at(reference) === undefined)).toEqual([]);
  });
});
