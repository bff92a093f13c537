import { Calls } from '../calls.ts';
import { openSqliteCallStore } from './store.ts';

// Writes as fast as it can until it is killed, and tells of each write once it has returned.

const [file = ''] = process.argv.slice(2);
const calls = new Calls(openSqliteCallStore({ file, busyTimeoutMs: 10_000 }));
const transcript = {
  language: 'en',
  utterances: [{ speaker: 0, startMs: 0, endMs: 1, text: 'x'.repeat(50_000) }],
  speakersBy: 'nothing',
  engine: { name: 'none', model: 'none' },
  audio: { seconds: 1, channels: 1, coveredSeconds: 1, speechSeconds: [], dropped: [] },
} as const;

for (let n = 0; ; n += 1) {
  const { call } = await calls.accept({
    accountId: 'account_1',
    fileName: 'a.mp3',
    reportType: 'medium',
    audio: { key: `${process.pid} ${n}`, bytes: 1, format: 'mp3', seconds: 1 },
  });
  process.stdout.write(`accepted ${call.id}\n`);
  const claimed = await calls.claim(call.id, 'transcription', 'burst');
  if ('refused' in claimed) throw new Error(claimed.refused);
  process.stdout.write(`claimed ${call.id}\n`);
  await calls.saveSegment(claimed.lease, {
    key: 'all',
    channel: null,
    startMs: 0,
    endMs: 1,
    utterances: [],
    language: null,
  });
  process.stdout.write(`segment ${call.id}\n`);
  await calls.commitTranscript(claimed.lease, {
    ...transcript,
    utterances: [...transcript.utterances],
    audio: { ...transcript.audio, speechSeconds: [], dropped: [] },
  });
  process.stdout.write(`transcribed ${call.id}\n`);
}
