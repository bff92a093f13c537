import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseAnalyst } from '@call-analytics/analysis';
import type { Analysis, Transcript } from '@call-analytics/calls';
import { type AccountScorecard, SCORECARD_CHECKS } from '@call-analytics/contracts';
import { zodResponseFormat } from '@call-analytics/openai';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { z } from 'zod';
import { type StandIn, startStandIn } from './index.ts';
import { audioFile } from './recordings.ts';
import { post } from './requests.fixture.ts';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn({ speech: 'known-text' });
});
afterAll(() => standIn.close());

type Spent = (tokens: { input: number; output: number }, dollars: number | null) => void;

/** The product's own analyst, as its settings choose it, at the stand-in's address. */
function analyze(transcript: Transcript, spent: Spent = () => {}, scorecard?: AccountScorecard): Promise<Analysis> {
  const analyst = chooseAnalyst({
    ANALYSIS_ENGINE: ['openai'],
    ANALYSIS_MODEL: 'gpt-5.6-luna',
    ANALYSIS_VERIFICATION: 'on',
    ANALYSIS_CONCURRENCY: 1,
    ANALYSIS_TIMEOUT: 10_000,
    OPENAI_API_KEY: standIn.key,
    OPENAI_BASE_URL: standIn.url,
  });
  return analyst.analyze(transcript, { signal: new AbortController().signal, spent, scorecard });
}

function transcriptOf(
  name: string,
  { by = 'channels' as Transcript['speakersBy'], text = (said: string) => said } = {},
): Transcript {
  const { turns, seconds } = audioFile(name);
  return {
    language: 'en',
    speakersBy: by,
    engine: { name: 'openai', model: 'gpt-transcribe' },
    utterances: turns.map((turn) => ({
      startMs: turn.startMs,
      endMs: turn.endMs,
      text: text(turn.text),
      speaker: by === 'nothing' ? null : turn.channel === 'left' ? 0 : 1,
    })),
    audio: { seconds: seconds ?? 0, channels: 2, coveredSeconds: seconds ?? 0, speechSeconds: [60, 60], dropped: [] },
  };
}

const PREPARED = Object.keys(
  (JSON.parse(readFileSync(join(import.meta.dirname, 'bundled-analysis.json'), 'utf8')) as { checks: object }).checks,
).length;

/** How many checks of the product's rubric were met, each with a quote that the product found in the transcript. */
function proven({ rubric }: Analysis): number {
  return rubric.flatMap(({ why }) => why.match(/: yes \(/g) ?? []).length;
}

describe('the analysis of the bundled call', () => {
  it('is a real reading of it, and every quote is in it', async () => {
    const analysis = await analyze(transcriptOf('bundled-call.mp3'));
    expect(analysis).toMatchObject({
      product: 'Horizon',
      saleStatus: 'follow_up',
      nextStep: expect.stringMatching(/Tuesday/),
    });
    expect(analysis.score).toBeGreaterThanOrEqual(80);
    // All that was prepared was found again: the product throws away what has no quote.
    expect(analysis.objections).toHaveLength(3);
    expect(proven(analysis)).toBe(PREPARED);
    expect(analysis.lines.filter(({ role }) => role === 'manager').map(({ text }) => text)[0]).toMatch(/^Good morning/);
  });

  it('is the same when the words come from a recognizer that leaves out stops and capitals', async () => {
    const analysis = await analyze(
      transcriptOf('bundled-call.mp3', { text: (said) => said.toLowerCase().replace(/[,]/g, '') }),
    );
    expect(analysis).toMatchObject({ product: 'Horizon', saleStatus: 'follow_up' });
    expect(analysis.objections).toHaveLength(3);
    expect(proven(analysis)).toBe(PREPARED);
  });

  it('is checked by a second request that costs less than the first', async () => {
    const costs: number[] = [];
    await analyze(transcriptOf('bundled-call.mp3'), (_tokens, dollars) => costs.push(dollars ?? Number.NaN));
    const [reading = 0, check = 0] = costs;
    process.stdout.write(
      `Dollars for the bundled call, by the tokens of the stand-in: ${reading} and ${check} to check\n`,
    );
    expect(costs).toHaveLength(2);
    expect(check).toBeGreaterThan(0);
    expect(check).toBeLessThan(reading);
  });

  it('proves nothing by what was not said', async () => {
    const whole = transcriptOf('bundled-call.mp3');
    const without = { ...whole, utterances: whole.utterances.filter(({ text }) => !text.includes('You asked about')) };
    expect(proven(await analyze(without))).toBe(PREPARED - 1);
  });

  it('says who is who when the lines name no speakers', async () => {
    const analysis = await analyze(transcriptOf('bundled-call.mp3', { by: 'nothing' }));
    const roleOf = (text: string) => analysis.lines.find((line) => line.text.includes(text))?.role;
    expect(roleOf('This is Robert')).toBe('manager');
    expect(roleOf('too expensive for us')).toBe('customer');
  });
});

describe('the scorecard of an account', () => {
  const own = ['Does the customer accept the first price?', 'Does the manager offer a discount?', 'Is it a nice call?'];
  const questions = [
    ...Object.values(SCORECARD_CHECKS).map((check) => ({ ...check, weight: 10 })),
    ...own.map((question, index) => ({
      question,
      who: index === 0 ? ('customer' as const) : ('anyone' as const),
      weight: 10,
    })),
  ];
  const answers = async (transcript: Transcript) => {
    const { scorecard, score } = await analyze(transcript, undefined, { version: 1, questions });
    return { score, answers: scorecard?.questions.map(({ answer, proof }) => [answer, proof !== null]) };
  };

  it('has the prepared answers for the bundled call, and no other', async () => {
    const checks = Object.keys(SCORECARD_CHECKS).map(() => ['yes', true]);
    expect(await answers(transcriptOf('bundled-call.mp3'))).toEqual({
      score: 85,
      answers: [...checks, ['no', true], ['no', false], ['not_judged', false]],
    });
  });
});

describe('the analysis of any other call', () => {
  it('fits what was asked for and claims nothing', async () => {
    const analysis = await analyze(transcriptOf('long-pauses.mp3'));
    expect(analysis).toMatchObject({ product: null, saleStatus: 'unclear', objections: [], nextStep: null });
  });
});

describe('a structured answer', () => {
  const person = z.object({ name: z.string(), age: z.int().min(18).nullable() });
  const Tree = z.object({
    name: z.string(),
    get children() {
      return z.array(Tree);
    },
  });
  const schemas = {
    choices: z.object({
      kind: z.enum(['a', 'b']),
      maybe: person.nullable(),
      either: z.union([z.string(), z.number()]),
    }),
    lists: z.object({
      some: z.array(person).min(2),
      any: z.array(z.string()),
      flag: z.boolean(),
      fixed: z.literal('x'),
    }),
    quotes: z.object({
      proof: z.object({ line: z.int().min(0), quote: z.string() }),
      other: z.object({ line: z.int(), quote: z.string() }).nullable(),
    }),
    recursive: z.object({ tree: Tree }),
  };

  it.each(Object.entries(schemas))('fits any schema of strict mode: %s', async (name, schema) => {
    const response_format = zodResponseFormat(schema, name);
    const asked = {
      model: 'gpt-5.6-luna',
      messages: [{ role: 'user', content: '0 S1: Hello there.\n1 S2: Good morning.' }],
      response_format,
    };
    const { status, body } = await post(standIn, '/chat/completions', asked);
    expect({ status, body }).toMatchObject({ status: 200 });
    const { choices, usage } = body as {
      choices: { message: { content: string } }[];
      usage: { prompt_tokens: number; completion_tokens: number };
    };
    const validate = new Ajv({ strict: false }).compile(response_format.json_schema.schema ?? {});
    const answer: unknown = JSON.parse(choices[0]?.message.content ?? '');
    validate(answer);
    expect(validate.errors).toBeNull();
    expect(usage.prompt_tokens).toBeGreaterThan(10);
    expect(usage.completion_tokens).toBeGreaterThan(3);
    if (name === 'quotes') expect(answer).toMatchObject({ proof: { line: 0, quote: 'Hello there.' } });
  });

  it('is the same from both endpoints', async () => {
    const { json_schema } = zodResponseFormat(schemas.choices, 'choices');
    const chat = await post(standIn, '/chat/completions', {
      model: 'gpt-5.6-luna',
      messages: [{ role: 'user', content: 'Hello' }],
      response_format: { type: 'json_schema', json_schema },
    });
    const responses = await post(standIn, '/responses', {
      model: 'gpt-5.6-luna',
      input: 'Hello',
      text: { format: { type: 'json_schema', ...json_schema } },
    });
    const ofChat = (chat.body as { choices: { message: { content: string } }[] }).choices[0]?.message.content;
    const ofResponses = (responses.body as { output: { content: { text: string }[] }[] }).output[0]?.content[0]?.text;
    expect(ofResponses).toBe(ofChat);
  });
});
