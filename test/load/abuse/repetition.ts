import { performance } from 'node:perf_hooks';
import { analysisSettings, chooseAnalyst } from '@call-analytics/analysis';
import type { Transcript } from '@call-analytics/calls';
import { bounded, type Context, type Measure, type Result } from '../harness/measure.ts';

const PHRASE = 'that is too expensive ';
const MB = 1_000_000;
/** How often the event loop is asked whether it is free. */
const TICK_MS = 5;

/** A recording in which one objection is repeated for megabytes of transcript. */
export const repetition: Measure = {
  name: 'abuse/repetition',
  async run({ quick, progress }: Context): Promise<Result[]> {
    const analyst = chooseAnalyst(analysisSettings.parse({ ANALYSIS_ENGINE: 'rules', ANALYSIS_TIMEOUT: '10m' }));
    const analyze = async (megabytes: number) => {
      const used = process.cpuUsage();
      await analyst.analyze(repeated(megabytes), { signal: new AbortController().signal, spent: () => {} });
      const { user, system } = process.cpuUsage(used);
      return (user + system) / 1_000;
    };
    // The thread starts and compiles its patterns.
    await analyze(0.001);
    const [small, large] = quick ? [0.25, 1] : [1, 4];
    const delays = watchEventLoop();
    const [less, more] = [await analyze(small), await analyze(large)];
    const longest = delays.stop();
    progress(`${small} MB: ${less.toFixed(0)} ms, ${large} MB: ${more.toFixed(0)} ms of processor time`);
    return [
      bounded('one phrase repeated: processor time for four times the text', 'x', [more / less], { atMost: 6 }),
      bounded('one phrase repeated: longest delay of the event loop meanwhile', 'ms', [longest], { atMost: 1_000 }),
    ];
  },
};

function repeated(megabytes: number): Transcript {
  const text = PHRASE.repeat(Math.ceil((megabytes * MB) / PHRASE.length));
  return {
    language: 'en',
    utterances: [{ speaker: null, startMs: 0, endMs: 3_600_000, text }],
    speakersBy: 'nothing',
    engine: { name: 'made', model: 'up' },
    audio: { seconds: 3_600, channels: 1, coveredSeconds: 3_600, speechSeconds: [3_600], dropped: [] },
  };
}

function watchEventLoop(): { stop(): number } {
  let [last, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - TICK_MS);
    last = now;
  }, TICK_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return longest;
    },
  };
}
