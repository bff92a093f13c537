import type { DeadLetter } from '@call-analytics/messaging';
import { WorkError } from '@call-analytics/service-kit';
import { type Command, withMessaging } from './command.ts';

/** The policy of the broker keeps no more. */
const EVERY = 100_000;
/** Of a reason in the list, in characters. */
const IN_A_LINE = 120;

/** Messages that no handler could process. The services may run. */
export const DEAD_LETTER_COMMANDS: Readonly<Record<string, Command>> = {
  'dead-letters list': {
    args: '',
    options: ['limit'],
    help: 'lists them with queue, time and reason',
    run: ({ limit = 100 }, { env }) =>
      withMessaging(env, async (messaging) => {
        const letters = await messaging.deadLetters(limit);
        const more = letters.length < limit ? '' : `\n\nThere may be more. Raise --limit to see them.`;
        return {
          json: { deadLetters: letters },
          text: letters.length === 0 ? 'No dead letters.' : `${letters.map(line).join('\n')}${more}`,
        };
      }),
  },
  'dead-letters show': {
    args: 'ID',
    help: 'shows one of them with its message',
    run: ({ args: [id = ''] }, { env }) =>
      withMessaging(env, async (messaging) => {
        const letter = (await messaging.deadLetters(EVERY)).find((one) => one.id === id);
        if (letter === undefined) throw none(id);
        return { json: { deadLetter: letter }, text: page(letter) };
      }),
  },
  'dead-letters replay': {
    args: '[ID]',
    options: ['all'],
    help: 'returns it to its queue; with --all instead of ID, all of them',
    wrong: ({ args, all }) => ((args.length === 0) === (all === undefined) ? 'needs an ID or --all' : null),
    run: ({ args: [id] }, { env, tell }) =>
      withMessaging(env, async (messaging) => {
        if (id !== undefined) {
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
      }),
  },
};

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

function page({ id, deadAt, queue, reason, body }: DeadLetter): string {
  return `id      ${id}\nqueue   ${queue}\nsince   ${deadAt.toISOString()}\nreason  ${reason}\n\n${readable(body)}`;
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
