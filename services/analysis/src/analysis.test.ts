import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Call, Calls, openSqliteCallStore, replaceScorecard } from '@call-analytics/calls';
import { type AccountScorecard, makeMessage, SCORECARD_CHECKS } from '@call-analytics/contracts';
import { inProcessMessaging } from '@call-analytics/messaging';
import { makeLogger, makeMetrics, SettingsError, WorkError } from '@call-analytics/service-kit';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createAnalysis } from './analysis.ts';
import type { Analyst } from './analyst.ts';
import { analystsOf, chooseAnalyst } from './choose-analyst.ts';
import { analyzeByRules } from './rules/analyze.ts';
import { transcriptOf, writtenDialogues } from './rules/dialogues.fixture.ts';
import { analysisSettings } from './settings.ts';

const SETTINGS = analysisSettings.parse({});
const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** A service with real parts around it, and a call that waits for its analysis. */
async function service(...analysts: [Analyst, ...Analyst[]]) {
  const dir = await mkdtemp(join(tmpdir(), 'analysis-'));
  cleanUps.push(() => rm(dir, { recursive: true, force: true }));
  const lines: string[] = [];
  const log = makeLogger('test', 'info', { write: (line) => lines.push(line) });
  const metrics = makeMetrics();
  const store = openSqliteCallStore({ file: join(dir, 'calls.sqlite') });
  cleanUps.push(() => store.close());
  const calls = new Calls(store);
  const messaging = inProcessMessaging({ log, metrics });
  cleanUps.push(() => messaging.close());
  const part = createAnalysis({ calls, messaging, analysts, log, metrics, settings: SETTINGS });
  await part.start();
  cleanUps.push(() => part.stop(AbortSignal.timeout(2_000)));

  const { call } = await calls.accept({
    accountId: 'acc',
    fileName: 'a.mp3',
    reportType: 'medium',
    audio: { key: 'k', bytes: 1, format: 'mp3', seconds: 60 },
  });
  await calls.grant(call.id);
  const claimed = await calls.claim(call.id, 'transcription', 'test');
  if ('refused' in claimed) throw new Error(claimed.refused);
  const [dialogue] = writtenDialogues();
  if (dialogue === undefined) throw new Error('no dialogue');
  const transcript = transcriptOf(dialogue, 'channels');
  await calls.commitTranscript(claimed.lease, transcript);
  await calls.grant(call.id);
  const ask = () =>
    messaging.publish(
      makeMessage(
        'analysis.requested',
        { callId: call.id, accountId: 'acc' },
        crypto.randomUUID(),
        '/test',
        new Date(),
      ),
    );
  const until = async (holds: (now: Call) => boolean): Promise<Call> => {
    for (;;) {
      const now = await store.get(call.id);
      if (now !== null && holds(now)) return now;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { ask, until, store, calls, part, metrics, transcript, lines, callId: call.id };
}

const rules = chooseAnalyst(SETTINGS);

describe('the analysis service', () => {
  it('completes a transcribed call with its analysis', async () => {
    const { ask, until, store, callId, transcript } = await service(rules);
    await ask();
    const call = await until(({ status }) => status === 'completed');
    const expected = await analyzeByRules(transcript);
    expect(await store.analysis(callId)).toEqual(expected);
    expect(call).toMatchObject({
      score: expected.score,
      product: expected.product,
      saleStatus: expected.saleStatus,
      language: 'en',
    });
  });

  it('judges a call by the scorecard of its account, and keeps the questions with the call', async () => {
    const { ask, until, store, calls, callId, transcript } = await service(rules);
    const greeted = { ...SCORECARD_CHECKS.greeted, check: 'greeted', weight: 4 } as const;
    const scorecard: AccountScorecard = { version: 1, questions: [greeted] };
    await replaceScorecard(calls, 'acc', { ...scorecard, version: 0 });
    await ask();
    const { score } = await until(({ status }) => status === 'completed');
    await replaceScorecard(calls, 'acc', { version: 1, questions: [] });
    const expected = await analyzeByRules(transcript, { scorecard });
    expect(await store.analysis(callId)).toEqual(expected);
    expect(score).toBe(expected.score);
    expect(expected.scorecard).toMatchObject({ version: 1, questions: [{ ...greeted, answer: 'yes', of: 4 }] });
  });

  it('analyzes a call again by the engine that was asked for, and fails it when there is no such engine', async () => {
    const other: Analyst = {
      name: 'openai',
      model: 'x',
      analyze: async () => ({ ...(await analyzeByRules(transcript)), engine: { name: 'openai', model: 'x' } }),
    };
    const { ask, until, calls, callId, transcript, store } = await service(rules, other);
    await ask();
    await until(({ status }) => status === 'completed');
    const again = async (engine: 'openai' | 'rules') => {
      await calls.corrections.analyzeAgain('acc', callId, { engine });
      await calls.grant(callId);
      await ask();
    };
    await again('openai');
    await until(({ status }) => status === 'completed');
    expect((await store.analysis(callId))?.engine).toEqual({ name: 'openai', model: 'x' });

    const alone = await service(other);
    await alone.ask();
    await alone.until(({ status }) => status === 'completed');
    await alone.calls.corrections.analyzeAgain('acc', alone.callId, { engine: 'rules' });
    await alone.calls.grant(alone.callId);
    await alone.ask();
    const failed = await alone.until(({ status }) => status === 'failed');
    expect(failed.failure).toEqual({
      code: 'engine_not_available',
      message: expect.stringContaining('The analysis engine "rules", which was asked for, is not available any more.'),
    });
    await alone.calls.retry('acc', alone.callId);
    await alone.calls.grant(alone.callId);
    await alone.ask();
    await alone.until(({ status }) => status === 'completed');
  });

  it('does nothing for a second message about the same call', async () => {
    let times = 0;
    const { ask, until, metrics } = await service({
      ...rules,
      analyze: (...given) => {
        times += 1;
        return rules.analyze(...given);
      },
    });
    await Promise.all([ask(), ask()]);
    await until(({ status }) => status === 'completed');
    const skipped = async () =>
      (await metrics.messagesHandled.get()).values.find(({ labels }) => labels.outcome === 'skipped')?.value ?? 0;
    while ((await skipped()) < 1) await new Promise((resolve) => setImmediate(resolve));
    expect(times).toBe(1);
  });

  it('leaves the call waiting, and its transcript kept, when the engine fails for a while', async () => {
    const failing: Analyst = {
      ...rules,
      analyze: async () => {
        throw new WorkError({
          kind: 'transient',
          code: 'engine_unavailable',
          message: 'The AI provider returned a server error.',
        });
      },
    };
    const { ask, until, store, callId } = await service(failing);
    await ask();
    const call = await until(({ failures }) => failures === 1);
    expect(call).toMatchObject({
      status: 'analyzing',
      stage: 'analysis',
      lease: null,
      lastFailure: { code: 'engine_unavailable' },
    });
    expect(call.nextAttemptAt).not.toBeNull();
    expect(await store.transcript(callId)).not.toBeNull();
  });

  it('gives the call back uncounted when it is stopped in the middle', async () => {
    let began = () => {};
    const started = new Promise<void>((resolve) => {
      began = resolve;
    });
    const endless: Analyst = {
      ...rules,
      analyze: (_transcript, { signal }) =>
        new Promise((_resolve, reject) => {
          began();
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const { ask, until, part } = await service(endless);
    await ask();
    await started;
    // Far beyond the test’s own limit: it is given back at once, not when the time is up.
    await part.stop(AbortSignal.timeout(60_000));
    expect(await until(({ lease }) => lease === null)).toMatchObject({
      status: 'analyzing',
      failures: 0,
      failure: null,
    });
  });

  it('counts the tokens that were spent and what they cost, even for an answer of no use', async () => {
    const { ask, until, metrics, calls, callId } = await service({
      ...rules,
      analyze: async (_transcript, { spent }) => {
        spent({ input: 900, output: 40 }, 0.25);
        spent({ input: 0, output: 0 }, 0.5);
        throw new WorkError({ kind: 'transient', code: 'engine_answer_cut', message: 'cut' });
      },
    });
    await ask();
    await until(({ failures }) => failures === 1);
    const counted = (await metrics.engineTokens.get()).values.map(({ labels, value }) => [labels.direction, value]);
    expect(counted).toEqual([
      ['input', 900],
      ['output', 40],
    ]);
    expect((await metrics.engineDollars.get()).values).toMatchObject([{ value: 0.75, labels: { engine: rules.name } }]);
    expect(await calls.spending.costs(callId)).toMatchObject([{ attempt: 2, stage: 'analysis', dollars: 0.75 }]);
    expect(await calls.spending.today('acc')).toMatchObject({ dollars: 0.75 });
  });

  it('writes nothing of what was said into the log', async () => {
    const { ask, until, lines, transcript } = await service(rules);
    await ask();
    await until(({ status }) => status === 'completed');
    const text = lines.join('\n');
    expect(text).toContain('analysis engine');
    for (const { text: said } of transcript.utterances) if (said.length > 20) expect(text).not.toContain(said);
  });

  it('warns at its start, and in /readyz, of a model that is about to be shut down', async () => {
    const { lines, part } = await service({ ...rules, name: 'openai', model: 'gpt-3.5-turbo' });
    expect(lines.join('')).toContain('was shut down on 2026-10-23');
    expect(part.degraded?.()).toContain('was shut down on 2026-10-23: use gpt-6-luna');
  });
});

describe('the choice of the analyst', () => {
  const choose = (env: Record<string, string>) => chooseAnalyst(analysisSettings.parse(env));

  it('is the rules where there is no key, and OpenAI where there is one', () => {
    expect(choose({}).name).toBe('rules');
    expect(choose({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }).name).toBe('rules');
    expect(choose({ OPENAI_API_KEY: 'k' })).toMatchObject({ name: 'openai', model: 'gpt-6-luna' });
    expect(choose({ ANALYSIS_BASE_URL: 'http://127.0.0.1:1/v1' }).name).toBe('openai');
  });

  it('is refused with a price that cannot be read', () => {
    expect(() => choose({ ANALYSIS_PRICE: 'cheap' })).toThrow(/must be such as .*input=0\.1 output=0\.5/);
    expect(analysisSettings.parse({ ANALYSIS_PRICE: 'input=0.1 output=0.5' }).ANALYSIS_PRICE).toEqual({
      millionInput: 0.1,
      millionOutput: 0.5,
    });
  });

  it('is the first of those that are named; the others can be asked for', () => {
    const both = analysisSettings.parse({ ANALYSIS_ENGINE: 'rules,openai', OPENAI_API_KEY: 'k' });
    expect(analystsOf(both).map(({ name }) => name)).toEqual(['rules', 'openai']);
    expect(analystsOf(analysisSettings.parse({ OPENAI_API_KEY: 'k' }))).toHaveLength(1);
    expect(() => analystsOf(analysisSettings.parse({ ANALYSIS_ENGINE: 'rules,openai' }))).toThrow(/OPENAI_API_KEY/);
  });

  it('is what the settings say, whatever keys there are', () => {
    expect(choose({ ANALYSIS_ENGINE: 'rules', OPENAI_API_KEY: 'k' }).name).toBe('rules');
    expect(
      choose({ ANALYSIS_ENGINE: 'openai', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', ANALYSIS_MODEL: 'llama' }),
    ).toMatchObject({ name: 'openai', model: 'llama' });
  });

  it('warns when no spending limit counts the model, because its price is not known', () => {
    const lines: string[] = [];
    const log = makeLogger('test', 'info', { write: (line) => lines.push(line) });
    const made = (env: Record<string, string>) =>
      analystsOf(analysisSettings.parse({ OPENAI_API_KEY: 'k', ...env }), undefined, log);
    made({});
    made({ ANALYSIS_MODEL: 'llama-5', ANALYSIS_PRICE: 'input=0 output=0' });
    expect(lines).toEqual([]);
    made({ ANALYSIS_MODEL: 'llama-5' });
    expect(lines.join('')).toContain('The price of the model llama-5 is unknown');
  });

  it('says what is missing for OpenAI', () => {
    expect(() => choose({ ANALYSIS_ENGINE: 'openai' })).toThrow(SettingsError);
    expect(() => choose({ ANALYSIS_ENGINE: 'openai' })).toThrow(/OPENAI_API_KEY, or OPENAI_BASE_URL/);
  });

  it('refuses a model that OpenAI has shut down, and names its successor', () => {
    const clock = { now: () => new Date('2027-01-14T00:00:00Z') };
    const settings = analysisSettings.parse({ OPENAI_API_KEY: 'k', ANALYSIS_MODEL: 'gpt-4o' });
    expect(() => chooseAnalyst(settings, clock)).toThrow(/ANALYSIS_MODEL is "gpt-4o".*use gpt-6-luna/);
  });
});
