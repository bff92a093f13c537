import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_S16P, FF_ENCODER_LIBMP3LAME } from 'node-av/constants';
import { Codec, CodecContext, FFmpegError, Frame, Packet } from 'node-av/lib';
import { SAMPLE_RATE } from './spectrum.ts';

/** For tests: 16 kHz mono MP3, as a client of a speech endpoint sends it. @param kbps kilobits a second */
export function mp3Of(samples: Int16Array, kbps: number): Buffer<ArrayBuffer> {
  using encoder = new CodecContext();
  const codec = Codec.findEncoderByName(FF_ENCODER_LIBMP3LAME);
  if (codec === null) throw new Error('this build of FFmpeg has no MP3 encoder');
  encoder.allocContext3(codec);
  encoder.sampleRate = SAMPLE_RATE;
  encoder.sampleFormat = AV_SAMPLE_FMT_S16P;
  encoder.channelLayout = AV_CHANNEL_LAYOUT_MONO;
  encoder.bitRate = BigInt(kbps) * 1000n;
  check(encoder.open2Sync(codec, null));
  using frame = new Frame();
  using packet = new Packet();
  frame.alloc();
  packet.alloc();
  const packets: Buffer[] = [];
  const drain = () => {
    while (encoder.receivePacketSync(packet) >= 0) {
      if (packet.data !== null) packets.push(Buffer.from(packet.data));
      packet.unref();
    }
  };
  for (let at = 0; at < samples.length; at += encoder.frameSize) {
    const part = samples.slice(at, at + encoder.frameSize);
    frame.nbSamples = part.length;
    frame.format = AV_SAMPLE_FMT_S16P;
    frame.sampleRate = SAMPLE_RATE;
    frame.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    frame.pts = BigInt(at);
    check(frame.allocBuffer());
    check(frame.fromBuffer(Buffer.from(part.buffer)));
    check(encoder.sendFrameSync(frame));
    frame.unref();
    drain();
  }
  check(encoder.sendFrameSync(null));
  drain();
  return Buffer.concat(packets);
}

function check(result: number): void {
  FFmpegError.throwIfError(result, 'encode MP3');
}
