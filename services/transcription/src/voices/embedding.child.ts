import { SpeakerEmbedding } from './speaker-embedding.ts';

// A process of its own: onnxruntime-node computes in the thread that asks, and a second worker thread cannot load it
// unless the main thread has. Its memory is given back when it ends.

// The service is gone.
process.on('disconnect', () => process.exit());
const [file = ''] = process.argv.slice(2);
const embedding = await SpeakerEmbedding.open(file);

process.on('message', async (samples: Int16Array) => {
  process.send?.(await embedding.of(samples));
});
process.send?.('ready');
