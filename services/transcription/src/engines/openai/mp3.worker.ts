import { parentPort, workerData } from 'node:worker_threads';
import { AV_CHANNEL_LAYOUT_MONO, AV_LOG_QUIET, AV_SAMPLE_FMT_S16P, FF_ENCODER_LIBMP3LAME } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Log, Packet } from 'node-av/lib';
import { SAMPLE_RATE } from '../../plan/frames.ts';

/** Enough for speech at 16 kHz; 8 minutes are 2.9 MB. */
const BITS_PER_SECOND = 48_000n;

// Errors are thrown. FFmpeg's own messages would only mix with the service's log, as when an encoder is closed early.
Log.setLevel(AV_LOG_QUIET);

const closed = workerData as Int32Array<SharedArrayBuffer>;

parentPort?.on('message', (message: { id: number; samples: Int16Array } | 'close') => {
  if (message === 'close') return parentPort?.close();
  const { id, samples } = message;
  try {
    const mp3 = encode(samples);
    parentPort?.postMessage({ id, mp3 }, [mp3.buffer]);
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});

/** MP3 is a sequence of self-contained frames: the packets of the encoder, joined, are the file. */
function encode(samples: Int16Array): Uint8Array<ArrayBuffer> {
  using encoder = new CodecContext();
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBMP3LAME);
  if (codec === null) throw new Error('this build of FFmpeg has no MP3 encoder');
  encoder.allocContext3(codec);
  encoder.sampleRate = SAMPLE_RATE;
  encoder.sampleFormat = AV_SAMPLE_FMT_S16P;
  encoder.channelLayout = AV_CHANNEL_LAYOUT_MONO;
  encoder.bitRate = BITS_PER_SECOND;
  check(encoder.open2Sync(codec, null));

  using frame = new Frame();
  using packet = new Packet();
  frame.alloc();
  packet.alloc();
  const packets: Buffer[] = [];
  const drain = () => {
    while (encoder.receivePacketSync(packet) >= 0) {
      if (packet.data !== null) packets.push(packet.data);
      packet.unref();
    }
  };
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  for (let at = 0; at < samples.length; at += encoder.frameSize) {
    if (Atomics.load(closed, 0) === 1) throw new Error('the encoder was closed');
    frame.nbSamples = Math.min(encoder.frameSize, samples.length - at);
    frame.format = AV_SAMPLE_FMT_S16P;
    frame.sampleRate = SAMPLE_RATE;
    frame.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    frame.pts = BigInt(at);
    check(frame.allocBuffer());
    check(frame.fromBuffer(bytes.subarray(at * 2, (at + frame.nbSamples) * 2)));
    check(encoder.sendFrameSync(frame));
    frame.unref();
    drain();
  }
  check(encoder.sendFrameSync(null));
  drain();
  return new Uint8Array(Buffer.concat(packets));
}

function check(result: number): void {
  FFmpegError.throwIfError(result, 'encode MP3');
}
