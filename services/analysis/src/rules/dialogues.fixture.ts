import { readdirSync, readFileSync } from 'node:fs';
import type { Role, Transcript, Utterance } from '@call-analytics/calls';
import type { CallKind, SaleStatus } from '@call-analytics/contracts';

/** A written call with its expected analysis, for tests. dialogues/README.md describes the format. */
export interface WrittenDialogue {
  name: string;
  title: string;
  turns: { speaker: number; role: Role; text: string }[];
  expected: {
    kind: CallKind;
    product: string;
    intent: string[];
    objections: string[];
    nextStep: string[] | null;
    status: SaleStatus;
    mistakes: string[];
    /** Null where the call must have none. */
    score: [number, number] | null;
  };
}

const FOLDER = new URL('./dialogues/', import.meta.url);

/** @param folder `held-out/` for the calls that the rules are measured by and not fitted to */
export function writtenDialogues(folder: '' | 'held-out/' = ''): WrittenDialogue[] {
  const from = new URL(folder, FOLDER);
  return readdirSync(from)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .map((file) => parse(file.replace('.txt', ''), readFileSync(new URL(file, from), 'utf8')));
}

function parse(name: string, text: string): WrittenDialogue {
  const [head = '', body = ''] = text.split('\n---\n');
  const fields = Object.fromEntries(head.split('\n').map((line) => line.split(/:\s*(.*)/).slice(0, 2)));
  const list = (field: string): string[] => (fields[field] === 'none' ? [] : String(fields[field]).split(/,\s*/));
  const [low = 0, high = 100] = String(fields.score).split('-').map(Number);
  const turns = body
    .trim()
    .split('\n')
    .map((line) => {
      const [letter = '', said = ''] = line.split(/:\s(.*)/);
      const role: Role = letter === fields.manager ? 'manager' : letter === fields.customer ? 'customer' : 'other';
      return { speaker: letter.charCodeAt(0) - 65, role, text: said };
    });
  return {
    name,
    title: String(fields.title),
    turns,
    expected: {
      kind: (fields.kind ?? 'sales') as CallKind,
      product: String(fields.product),
      intent: list('intent'),
      objections: list('objections'),
      nextStep: fields['next step'] === 'none' ? null : list('next step'),
      status: fields.status as SaleStatus,
      mistakes: list('mistakes'),
      score: fields.score === 'none' ? null : [low, high],
    },
  };
}

/** How a speech engine might transcribe the call. */
export type Shape = 'channels' | 'recogniser' | 'mono' | 'mono recogniser';
const MS_PER_WORD = 400;
const TURN_PAUSE_MS = 300;

/** @param shape `recogniser` has no punctuation and no capitals; `mono` is one utterance without speakers */
export function transcriptOf({ turns }: Pick<WrittenDialogue, 'turns'>, shape: Shape): Transcript {
  const bare = shape.endsWith('recogniser');
  let clock = 0;
  const utterances: Utterance[] = turns.map(({ speaker, text }) => {
    const said = bare ? text.toLowerCase().replace(/[.,!?…]+(?=\s|$)/g, '') : text;
    const startMs = clock;
    clock += said.split(/\s+/).length * MS_PER_WORD;
    const utterance = { speaker: shape.startsWith('mono') ? null : speaker, startMs, endMs: clock, text: said };
    clock += TURN_PAUSE_MS;
    return utterance;
  });
  const run = { speaker: null, startMs: 0, endMs: clock, text: utterances.map(({ text }) => text).join(' ') };
  const seconds = clock / 1000;
  return {
    language: 'en',
    utterances: shape.startsWith('mono') ? [run] : utterances,
    speakersBy: shape.startsWith('mono') ? 'nothing' : 'channels',
    engine: { name: 'written', model: 'by hand' },
    audio: {
      seconds,
      channels: shape.startsWith('mono') ? 1 : 2,
      coveredSeconds: seconds,
      speechSeconds: [],
      dropped: [],
    },
  };
}

/** A transcript of lines of four seconds each; without speakers where they are null. */
export function spoken(
  lines: readonly (readonly [speaker: number | null, text: string])[],
  changes: Partial<Transcript> = {},
): Transcript {
  const seconds = lines.length * 4;
  return {
    language: 'en',
    utterances: lines.map(([speaker, text], index) => {
      return { speaker, startMs: index * 4_000, endMs: index * 4_000 + 3_500, text };
    }),
    speakersBy: lines.some(([speaker]) => speaker !== null) ? 'channels' : 'nothing',
    engine: { name: 'test', model: 'test' },
    audio: { seconds, channels: 2, coveredSeconds: seconds, speechSeconds: [], dropped: [] },
    ...changes,
  };
}

/** The share of words with the correct role. */
export function rolesRight(
  { turns }: Pick<WrittenDialogue, 'turns'>,
  lines: readonly { role: Role; text: string }[],
): number {
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
  const truth = turns.flatMap(({ role, text }) => words(text).map(() => role));
  const given = lines.flatMap(({ role, text }) => words(text).map(() => role));
  return truth.filter((role, index) => role === given[index]).length / truth.length;
}

/** The first lines of a call that is clearly a sales call; speaker 0 is the manager. */
export const SALES_OPENING: readonly [speaker: 0 | 1, text: string][] = [
  [0, 'Good morning, this is Emma from Brightbooks. You asked for an offer for our invoicing software?'],
  [1, 'Yes, hi Emma. I lose a whole evening on the invoices every week.'],
  [0, 'How many do you send in a month?'],
  [1, 'About forty.'],
  [0, 'And how do you write them at the moment?'],
  [1, 'In a spreadsheet, by hand.'],
  [0, 'So you want that evening back, and fewer mistakes.'],
  [1, 'Exactly.'],
  [0, 'Our invoicing software writes them for you and sends the reminders, so you save those hours.'],
  [1, 'And what does it cost?'],
  [0, 'It is twenty dollars a month, and you can cancel every month.'],
];
