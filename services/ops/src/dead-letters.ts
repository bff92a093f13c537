import type { DeadLetter, Messaging } from '@call-analytics/messaging';
import { WorkError } from '@call-analytics/service-kit';

export interface Options {
  id: string;
  all: boolean;
  limit: number;
}

export interface Command {
  /**
   * @returns what is wrong with the options that were given, to stand behind the command's name; null when nothing is
   */
  wrong(given: Partial<Options>): string | null;
  /** @param tell prints a line of progress */
  run(messaging: Messaging, options: Options, tell: (text: string) => void): Promise<{ json: unknown; text: string }>;
}

/** The policy of the broker keeps no more. */
const EVERY = 100_000;
/** Of a reason in the list, in characters. */
const IN_A_LINE = 120;

export const COMMANDS: Readonly<Record<string, Command>> = {
  'dead-letters list': {
    wrong: ({ id, all }) => (id !== undefined ? 'takes no ID' : all !== undefined ? 'takes no --all' : null),
    async run(messaging, { limit }) {
      const letters = await messaging.deadLetters(limit);
      const more = letters.length < limit ? '' : `\n\nThere may be more. Raise --limit to see them.`;
      return {
        json: { deadLetters: letters },
        text: letters.length === 0 ? 'No dead letters.' : `${letters.map(line).join('\n')}${more}`,
      };
    },
  },
  'dead-letters show': {
    wrong: ({ id, all, limit }) =>
      id === undefined ? 'needs an ID' : all !== undefined ? 'takes no --all' : noLimit(limit),
    async run(messaging, { id }) {
      const letter = (await messaging.deadLetters(EVERY)).find((one) => one.id === id);
      if (letter === undefined) throw none(id);
      return { json: { deadLetter: letter }, text: page(letter) };
    },
  },
  'dead-letters replay': {
    wrong: ({ id, all, limit }) =>
      (id === undefined) === (all === undefined) ? 'needs an ID or --all' : noLimit(limit),
    async run(messaging, { id, all }, tell) {
      if (!all) {
        if (!(await messaging.replay(id))) throw none(id);
        return { json: { replayed: [id] }, text: `${id} returned to its queue.` };
      }
      const letters = await messaging.deadLetters(EVERY);
      const replayed: string[] = [];
      for (const letter of letters) {
        // Another operator has replayed it.
        if (!(await messaging.replay(letter.id))) continue;
        replayed.push(letter.id);
        tell(`${letter.id} returned to the queue ${letter.queue}.`);
      }
      return { json: { replayed }, text: `${replayed.length} of ${letters.length} replayed.` };
    },
  },
};

function noLimit(limit: number | undefined): string | null {
  return limit === undefined ? null : 'takes no --limit';
}

function none(id: string): WorkError {
  return new WorkError({
    kind: 'rejected',
    code: 'no_such_dead_letter',
    message:
      `Dead letter not found: ${id}. List them with "npm run ops -- dead-letters list". ` +
      'While another command reads them, they are hidden for a moment.',
  });
}

function line({ id, deadAt, queue, reason }: DeadLetter): string {
  const [first = ''] = reason.split('\n');
  const short = first.length <= IN_A_LINE ? first : `${first.slice(0, IN_A_LINE)}…`;
  return `${id}  ${deadAt.toISOString()}  ${queue.padEnd(13)}  ${short}`;
}

function page({ id, deadAt, queue, reason, wire }: DeadLetter): string {
  return `id      ${id}\nqueue   ${queue}\nsince   ${deadAt.toISOString()}\nreason  ${reason}\n\n${readable(wire)}`;
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
