import { createReadStream, statSync } from 'node:fs';
import { watchPoints } from '@call-analytics/service-kit';
import { obey } from '../harness/child.ts';
import { engine, startPipeline } from './pipeline.ts';

export interface Overlap {
  /** From the claim, in milliseconds. */
  firstPieceMs: number;
  decodedMs: number;
  committedMs: number;
  pieces: number;
}

/** Brings one recording through transcription and says what happened when. */
await obey<{ dataDir: string }, { recording: string }, Overlap>(async ({ dataDir }) => async ({ recording }) => {
  let [claimed, firstPiece, decoded, pieces] = [0, 0, 0, 0];
  const committed = Promise.withResolvers<number>();
  watchPoints((name) => {
    if (name === 'stage.claimed') claimed ||= performance.now();
    if (name === 'transcript.committed') committed.resolve(performance.now());
  });
  const speech = engine(async () => {
    firstPiece ||= performance.now();
    pieces += 1;
  });
  const { calls, audioStore } = await startPipeline(dataDir, speech);
  // The length is written when the last sample has been decoded.
  const measured = calls.measured.bind(calls);
  calls.measured = (...about) => {
    decoded = performance.now();
    return measured(...about);
  };
  const { bytes } = await audioStore.put('long', createReadStream(recording));
  const audio = { key: 'long', bytes, format: 'mp3', seconds: statSync(recording).size / 16_000 } as const;
  await calls.accept({ accountId: 'bench', fileName: 'long.mp3', reportType: 'medium', audio });
  const end = await committed.promise;
  return { firstPieceMs: firstPiece - claimed, decodedMs: decoded - claimed, committedMs: end - claimed, pieces };
});
