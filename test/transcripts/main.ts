import { scriptOptions } from '@call-analytics/service-kit';
import { openDistributed } from './distributed.ts';
import type { Times } from './exact-engine.ts';
import { memoryTable } from './memory.ts';
import { corpus } from './recordings.ts';
import { rowOf, tableOf } from './run.ts';

const USAGE = `Transcribes recordings whose words and speakers are known, and compares.

  npm run transcripts [-- --only TEXT] [--times words|lines|speakers|none] [--pack SECONDS] [--show] [--distributed]
  npm run transcripts -- --memory

  --only TEXT   only the recording of this name, or those with TEXT in their name
  --except TEXT all but those with TEXT in their name
  --times       what the exact engine answers (words by default)
  --pack        seconds that the exact engine takes in one request at most (by default 28; 480 without times of words)
  --show        prints what was invented, and the transcripts
  --distributed has the calls uploaded, transcribed and analyzed over RabbitMQ, MongoDB and MinIO, in containers
  --memory      prints the most memory that the service and its processes take for recordings of three and six hours

With TRANSCRIPTION_BASE_URL or TRANSCRIPTION_ENGINE a real engine is asked, with the settings of the service. Without,
an exact engine answers with the words that are spoken in the audio it gets.

wrong, lost, added   words, of those said
role, time           words that were heard under the right role, and in a line of that time; misheard words beside a
                     change of speaker do not count for the role
word                 words whose own times are right to 0.3 s, where the engine gives them and they are known
DER, DER.25          diarization error rate, without and with a collar of 0.25 s
invented, misheard   lines without a word that was said, where the person says nothing and where words were misheard
gap                  seconds by which the coverage misses the length of the recording
billed               seconds sent to the engine for each second of speech with pauses under 0.5 s
busy                 seconds in which the engine worked`;

const print = (text: string) => process.stdout.write(`${text}\n`);
const { show, distributed, memory, ...given } = scriptOptions(USAGE, {
  only: { type: 'string' },
  except: { type: 'string' },
  times: { type: 'string' },
  pack: { type: 'string' },
  show: { type: 'boolean' },
  distributed: { type: 'boolean' },
  memory: { type: 'boolean' },
});
if (memory === true) {
  print(await memoryTable());
  process.exit();
}

const isReal = process.env.TRANSCRIPTION_BASE_URL !== undefined || process.env.TRANSCRIPTION_ENGINE !== undefined;
const times = (given.times ?? 'words') as Times;
const settings = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(TRANSCRIPTION|OPENAI|SEGMENT|WHISPER)_/.test(name)),
);
const { recordings, skipped } = corpus();
const only = given.only ?? '';
const named = recordings.filter(({ name }) => name === only);
const { except = null } = given;
const wanted = (named.length > 0 ? named : recordings.filter(({ name }) => name.includes(only))).filter(
  ({ name }) => except === null || !name.includes(except),
);
const seconds = Number(given.pack);
const limits = Number.isNaN(seconds) ? {} : { maxSeconds: seconds, ...(times === 'words' && { packSeconds: seconds }) };
const servers = distributed === true ? await openDistributed() : null;
const rows = [];
for (const { make } of wanted) {
  const row = await rowOf(make(), isReal ? (settings as Record<string, string>) : times, limits, servers?.transcribing);
  rows.push(row);
  process.stderr.write(`${tableOf([row]).split('\n').at(-1)}\n`);
  if (show !== true) continue;
  for (const text of row.inventions) print(`  invented: ${text}`);
  for (const text of row.misheard) print(`  misheard: ${text}`);
  for (const { speaker, startMs, endMs, text } of row.transcript.utterances)
    print(`  ${speaker} ${startMs}-${endMs} ${text}`);
}
await servers?.close();
const asked = isReal ? (process.env.TRANSCRIPTION_MODEL ?? 'the default model') : `the exact engine, ${times}`;
print(`Transcribed by ${asked}\n\n${tableOf(rows)}`);
for (const what of skipped) print(`skipped: ${what}`);
