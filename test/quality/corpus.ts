import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { transcriptOfCall } from '@call-analytics/analysis';
import type { Role, Transcript } from '@call-analytics/calls';
import type { CallKind, SaleStatus } from '@call-analytics/contracts';

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

/** A line with what two coaches agree is done in it; README.md lists the tags. */
export interface TaggedLine {
  role: Role;
  text: string;
  tags: ReadonlySet<string>;
}

export interface TrainingCall extends WrittenCall {
  author: string;
  lines: readonly TaggedLine[];
}

const ROLES: Readonly<Record<string, Role>> = { M: 'manager', C: 'customer', O: 'other' };

/** Reads the calls of a folder whose lines are tagged, in the order of the files. */
export function taggedCalls(set: 'training' | 'exam' | 'sealed'): TrainingCall[] {
  const folder = new URL(`./calls/${set}/`, import.meta.url);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8');
      const author = file.split('-')[0] ?? file;
      return text.split(/^(?=# call:)/m).flatMap((part) => (part.trim() === '' ? [] : [callOf(part, author)]));
    });
}

function callOf(text: string, author: string): TrainingCall {
  const headers = new Map<string, string>();
  const speakers: string[] = [];
  const lines: TaggedLine[] = [];
  for (const row of text.split('\n')) {
    const header = /^# (\w+): ?(.*)$/.exec(row);
    if (header !== null) headers.set(header[1] ?? '', header[2] ?? '');
    const line = /^([MCO])(\d?): (.*?)((?:\s*\{[^}]*\})*)\s*$/.exec(row);
    if (line === null) continue;
    const [, side = 'O', number = '', said = '', tags = ''] = line;
    speakers.push(side + number);
    lines.push({
      role: ROLES[side] ?? 'other',
      text: said.trim(),
      tags: new Set([...tags.matchAll(/\{([^}]*)\}/g)].map(([, tag = '']) => tag)),
    });
  }
  const [name = '', ...fields] = (headers.get('call') ?? '').split('|').map((field) => field.trim());
  const field = fieldsOf(fields);
  const voices = [...new Set(speakers)];
  return {
    name,
    author,
    lines,
    transcript: transcriptOfCall({ lines: timed(lines, speakers, voices), date: field.get('date') ?? null }),
    truth: {
      channels: 2,
      language: 'en',
      kind: (field.get('kind') ?? 'other') as CallKind,
      roles: Object.fromEntries(voices.map((voice, index) => [index, ROLES[voice.charAt(0)] ?? 'other'])),
      saleStatus: (field.get('status') ?? 'unclear') as SaleStatus,
      product: listOf(headers.get('product'), ';'),
      nextStep: stepOf(headers.get('next')),
      objections: objectionsOf(lines),
      mistakes: lines.flatMap(({ tags }, line) => kindsOf(tags, 'm').map((kind) => ({ kind, lines: [line] }))),
      quality: field.has('quality') && field.get('kind') === 'sales' ? Number(field.get('quality')) : null,
      scripted: field.get('scripted') === 'yes',
      acts: actsOf(lines),
      contested: lines.flatMap(({ tags }, line) => (tags.has('?') ? [line] : [])),
    },
  };
}

function actsOf(lines: readonly TaggedLine[]): ReadonlyMap<string, number[]> {
  const acts = new Map<string, number[]>();
  lines.forEach(({ tags }, line) => {
    for (const tag of tags) acts.set(tag, [...(acts.get(tag) ?? []), line]);
  });
  return acts;
}

const MS_PER_WORD = 330;
const PAUSE_MS = 400;

function timed(lines: readonly TaggedLine[], speakers: readonly string[], voices: readonly string[]) {
  let at = 0;
  return lines.map(({ text }, index) => {
    const startMs = at + PAUSE_MS;
    at = startMs + text.split(/\s+/).length * MS_PER_WORD;
    return { speaker: voices.indexOf(speakers[index] ?? ''), startMs, endMs: at, text };
  });
}

function fieldsOf(fields: readonly string[]): Map<string, string> {
  return new Map(
    fields.map((each) => [each.slice(0, each.indexOf('=')).trim(), each.slice(each.indexOf('=') + 1).trim()]),
  );
}

function listOf(text: string | undefined, separator: string): string[] {
  return (text ?? '').split(separator).flatMap((each) => (each.trim() === '' ? [] : [each.trim().toLowerCase()]));
}

function stepOf(text: string | undefined): Truth['nextStep'] {
  if (text === undefined || text.trim() === 'none') return null;
  const field = fieldsOf(text.split('|'));
  const when = field.get('when') ?? 'none';
  const day = field.get('day') ?? 'none';
  return {
    what: listOf(field.get('what'), ','),
    when: when === 'none' ? null : listOf(when, ','),
    day: day === 'none' ? null : day,
    who: field.get('who') ?? 'both',
  };
}

/** The kinds after `obj:` or `m:`. */
export function kindsOf(tags: ReadonlySet<string>, prefix: 'obj' | 'm'): string[] {
  return [...tags].flatMap((tag) => (tag.startsWith(`${prefix}:`) ? [tag.slice(prefix.length + 1)] : []));
}

/** An answer counts for the objections since the answer before it. */
function objectionsOf(lines: readonly TaggedLine[]): Truth['objections'] {
  const all: Truth['objections'] = [];
  let open: Truth['objections'] = [];
  let answered = false;
  lines.forEach(({ role, tags }, line) => {
    if (role === 'manager' && tags.has('answer')) {
      for (const objection of open) objection.answered = true;
      answered = true;
    }
    const kinds = kindsOf(tags, 'obj');
    if (kinds.length === 0) return;
    if (answered) open = [];
    answered = false;
    const added = kinds.map((kind) => ({ kind, lines: [line], answered: false }));
    open.push(...added);
    all.push(...added);
  });
  return all;
}
