import { afterEach, describe, expect, it } from '@jest/globals';
import { type Answering, startSpeechServer } from './engines/openai/speech-server.fixture.ts';
import { openScene, type Scene } from './transcription.fixture.ts';

/** Two turns: one of five and a half seconds, one of four. */
const EXCERPT = 'excerpt.mp3';
/** 24 turns, the first of 5.2 s. */
const BUNDLED_CALL = 'bundled-call.mp3';
/** Five turns under five seconds; the longest is sent first, to settle the language. */
const FIVE_TURNS = 'long-pauses.mp3';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

async function scene(answering: Answering, env: Record<string, string> = {}) {
  const server = await startSpeechServer(answering);
  open.push(server);
  const opened: Scene = await openScene({
    OPENAI_BASE_URL: server.url,
    TRANSCRIPTION_MODEL: 'Systran/faster-whisper-base',
    ...env,
  });
  open.push(opened);
  return { server, scene: opened };
}

/** @returns an answer as verbose_json has it */
function said(text: string, language: string, logprob = -0.3) {
  return { body: { text, language, segments: [{ start: 0, end: 4, text, avg_logprob: logprob }] } };
}

describe('one language for a call', () => {
  it('is settled by its long segment and told with the short one, also to a self-hosted model', async () => {
    const { server, scene: calls } = await scene(({ fields }) => {
      if (fields.language?.[0] === 'en') return said('Bye bye.', 'english');
      return server.asked.length === 1 ? said('Hello, this is Peter.', 'english') : said('拜拜', 'chinese');
    });
    const { transcript } = await calls.transcribed(await calls.uploaded(EXCERPT));
    expect(server.asked.map(({ fields }) => fields.language)).toEqual([undefined, ['en']]);
    expect(transcript?.utterances.map(({ text }) => text)).toEqual(['Hello, this is Peter.', 'Bye bye.']);
    expect(transcript?.language).toBe('en');
  });

  it('is the one that the operator set, from the first request on', async () => {
    const { server, scene: calls } = await scene(() => said('Guten Tag.', 'german'), { TRANSCRIPTION_LANGUAGES: 'de' });
    await calls.transcribed(await calls.uploaded(EXCERPT));
    expect(server.asked.map(({ fields }) => fields.language)).toEqual([['de'], ['de']]);
  });

  it('is told again to a segment that was heard in another one before it was settled', async () => {
    const { server, scene: calls } = await scene(
      ({ fields }, number) => {
        if (fields.language !== undefined) return said('Five hundred cards.', 'english');
        return number === 1 ? said('Goedemorgen.', 'dutch') : said('Thank you for calling us today.', 'english');
      },
      { SEGMENT_CONCURRENCY: '1' },
    );
    const { transcript } = await calls.transcribed(await calls.uploaded(BUNDLED_CALL));
    expect(transcript).toMatchObject({ language: 'en' });
    expect(transcript?.utterances.map(({ text }) => text)).not.toContain('Goedemorgen.');
    expect(server.asked).toHaveLength(25);
    expect(server.asked.at(-1)?.fields.language).toEqual(['en']);
    expect(server.asked.at(-1)?.seconds).toBeCloseTo(server.asked[0]?.seconds ?? 0, 1);
  });

  it('drops what is in a foreign script although the language was told, with the reason', async () => {
    const { scene: calls } = await scene(() => said('イエリアル!', 'english'), { TRANSCRIPTION_LANGUAGES: 'en' });
    const { transcript } = await calls.transcribed(await calls.uploaded(EXCERPT));
    expect(transcript?.utterances).toEqual([]);
    expect(transcript?.audio.dropped.map(({ reason }) => reason)).toEqual(['foreign_script', 'foreign_script']);
  });
});

describe('a short segment that the engine does not answer in time', () => {
  it('is given up alone when the engine answers the others, and the call goes on', async () => {
    const { scene: calls } = await scene((_, number) => (number === 2 ? null : said('Good.', 'english')), {
      TRANSCRIPTION_DEADLINE: '2s',
    });
    const uploaded = await calls.uploaded(FIVE_TURNS);
    const { call, transcript } = await calls.transcribed(uploaded);
    expect(call).toMatchObject({ status: 'analyzing', failures: 0 });
    expect(transcript?.utterances).toHaveLength(4);
    const saved = await calls.store.segments(uploaded.id);
    expect(saved.filter(({ unanswered }) => unanswered === 'engine_timeout')).toHaveLength(1);
  });
});

describe('a segment that is answered with nothing although there is speech', () => {
  it('is sent once more between its neighbors, and what is said in it is taken', async () => {
    const { server, scene: calls } = await scene(
      ({ seconds }, number) => {
        if (number === 2) return { body: { text: '', language: 'english', segments: [] } };
        // The pack: half a second, 3.5 s, half a second, 3.4 s, and so on.
        const [before, own] = ['One moment.', 'Here they are.'];
        if (seconds < 7) return said('Good.', 'english');
        const words = [
          { word: 'One', start: 0.6, end: 1 },
          { word: 'moment.', start: 1, end: 2 },
          { word: 'Here', start: 4.6, end: 5 },
          { word: 'they', start: 5, end: 5.4 },
          { word: 'are.', start: 5.4, end: 6 },
        ];
        return {
          body: {
            text: `${before} ${own}`,
            language: 'english',
            segments: [{ start: 0.6, end: 6, text: `${before} ${own}` }],
            words,
          },
        };
      },
      { SEGMENT_CONCURRENCY: '1', TRANSCRIPTION_LANGUAGES: 'en' },
    );
    const { transcript } = await calls.transcribed(await calls.uploaded(FIVE_TURNS));
    expect(server.asked).toHaveLength(6);
    expect(transcript?.utterances).toHaveLength(5);
    expect(transcript?.utterances[1]?.text).toBe('One moment.');
    expect(transcript?.utterances.map(({ text }) => text)).not.toContain('Here they are.');
    expect(transcript?.audio.coverage?.unanswered).toBe(0);
  });

  it('stays unanswered, with its reason, when there is nothing again', async () => {
    const { server, scene: calls } = await scene(
      ({ seconds }, number) =>
        number === 1 || seconds > 5
          ? { body: { text: '', language: 'english', segments: [] } }
          : said('Good.', 'english'),
      { SEGMENT_CONCURRENCY: '1', TRANSCRIPTION_LANGUAGES: 'en' },
    );
    const { transcript } = await calls.transcribed(await calls.uploaded(FIVE_TURNS));
    expect(server.asked).toHaveLength(6);
    expect(transcript?.audio.dropped.filter(({ reason }) => reason === 'no_words')).toHaveLength(1);
    const { heard = 0, silent = 0, music = 0, unanswered = 0 } = transcript?.audio.coverage ?? {};
    expect(unanswered).toBeGreaterThan(3);
    expect(heard + silent + music + unanswered).toBeCloseTo(transcript?.audio.seconds ?? 0, 1);
  });
});

describe('a server that gives no times', () => {
  it('is asked for text alone from then on', async () => {
    const { server, scene: calls } = await scene(({ fields }) =>
      fields.response_format?.[0] === 'json'
        ? { body: { text: 'Hello.' } }
        : { status: 400, body: { error: { message: 'response_format is not supported' } } },
    );
    const { transcript } = await calls.transcribed(await calls.uploaded(EXCERPT));
    expect(transcript?.utterances).toHaveLength(2);
    expect(server.asked.map(({ fields }) => fields.response_format?.[0]).slice(0, 2)).toEqual(['verbose_json', 'json']);
    expect(server.asked.slice(2).every(({ fields }) => fields.response_format?.[0] === 'json')).toBe(true);
  });
});
