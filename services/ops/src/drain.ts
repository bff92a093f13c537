import { setTimeout as delay } from 'node:timers/promises';
import type { CallStore } from '@call-analytics/calls';
import { STAGES, type Stage } from '@call-analytics/contracts';
import { type Command, type Given, withCalls } from './command.ts';

const LOOK_EVERY_MS = 500;

/** Commands that stop the work of a stage and let it go on, for any installation. */
export const DRAIN_COMMANDS: Readonly<Record<string, Command>> = {
  drain: {
    args: 'SERVICE',
    help:
      'begins no more calls in transcription or analysis, which wait until "resume", and waits until none is in work; ' +
      'Ctrl-C ends only the waiting',
    wrong,
    run: (given, { env, tell }) =>
      withCalls(env, async (_, store) => {
        const stage = stageOf(given);
        const drainedSince = (await store.drainedStages()).get(stage) ?? new Date();
        await store.setDrained(stage, drainedSince);
        tell(`${stage} begins no more calls. What is in work is finished.`);
        await untilNothingIsInHand(store, stage, tell);
        const text = `Nothing is in work in ${stage}. ${howToResume(stage)}`;
        return { json: { stage, drainedSince }, text };
      }),
  },
  resume: {
    args: 'SERVICE',
    help: 'ends the drain of transcription or analysis',
    wrong,
    run: (given, { env }) =>
      withCalls(env, async (_, store) => {
        const stage = stageOf(given);
        const drainedSince = (await store.drainedStages()).get(stage) ?? null;
        await store.setDrained(stage, null);
        const text = drainedSince === null ? `${stage} was not drained.` : `${stage} begins calls again.`;
        return { json: { stage, drainedSince }, text };
      }),
  },
};

export function howToResume(stage: Stage): string {
  return `Resume it with "npm run ops -- resume ${stage}".`;
}

/** A grant counts too, because its worker may just be claiming it. It ends by itself when no worker does. */
async function untilNothingIsInHand(store: CallStore, stage: Stage, tell: (text: string) => void): Promise<void> {
  let told = '';
  // Twice: a large queue is not counted at one moment, and a call may go from granted to leased meanwhile.
  for (let empty = 0; empty < 2; ) {
    const { granted, leased } = (await store.queues(new Date())).inFlight[stage];
    empty = granted + leased === 0 ? empty + 1 : 0;
    const left = `${leased} in work, ${granted} granted`;
    if (empty === 0 && left !== told) tell(left);
    told = left;
    if (empty < 2) await delay(LOOK_EVERY_MS);
  }
}

function wrong({ args: [service = ''] }: Given): string | null {
  if ((STAGES as readonly string[]).includes(service)) return null;
  return `takes ${STAGES.join(' or ')}. The other services have no queue to hold: stop them`;
}

function stageOf({ args: [service] }: Given): Stage {
  return service as Stage;
}
