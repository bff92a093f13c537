import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { asyncapiDocument } from './document.ts';

export const FILE = new URL('../../../docs/asyncapi.yaml', import.meta.url);

/** The text of docs/asyncapi.yaml. */
export function asyncapiText(): string {
  const sample = (type: string, version: number): unknown =>
    JSON.parse(readFileSync(new URL(`../golden/${type}/v${version}.json`, import.meta.url), 'utf8'));
  const note =
    '# Made by `npm run asyncapi` from libs/contracts (the catalogue, the queues and the golden samples). Do not edit.\n';
  return note + stringify(asyncapiDocument(sample), { lineWidth: 140, aliasDuplicateObjects: false });
}
