import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { transcriptOfCall } from '@call-analytics/analysis';
import type { Role, Transcript } from '@call-analytics/calls';
import type { CallKind, SaleStatus } from '@call-analytics/contracts';
import { taggedCalls } from './corpus.ts';

/** What two careful sales coaches agree on about a call; README.md describes the format. */
export interface Truth {
  channels: 1 | 2;
  language: string;
  kind: CallKind;
  /** By speaker with two channels, else one entry per line. */
  roles: Record<string, Role> | Role[];
  saleStatus: SaleStatus;
  product: string[];
  nextStep: { what: string[]; when: string[] | null; day: string | null; who: string } | null;
  objections: { kind: string; lines: number[]; answered: boolean }[];
  mistakes: { kind: string; lines: number[] }[];
  quality: number | null;
  scripted: boolean;
  /** Lines about which two coaches would argue: what is claimed of them counts as neither right nor wrong. */
  contested?: number[];
  /** The lines in which something is done, by its tag; only in calls with tags. */
  acts?: ReadonlyMap<string, number[]>;
}

export interface WrittenCall {
  name: string;
  transcript: Transcript;
  truth: Truth;
}

export type CallSet = 'tuning' | 'unseen' | 'exam' | 'sealed';

/** Reads the written calls of a set. Without speakers in the truth, the analyst gets none. */
export function writtenCalls(set: CallSet): WrittenCall[] {
  if (set === 'exam' || set === 'sealed') return taggedCalls(set);
  const folder = new URL(`./calls/${set}/`, import.meta.url);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const { truth, ...call } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
      return { name: file.replace('.json', ''), transcript: transcriptOfCall(call), truth };
    });
}
