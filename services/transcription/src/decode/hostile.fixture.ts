// Small files that are expensive to decode, written from the specifications (RFC 9639, ISO/IEC 14496-12), because no
// encoder writes them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES } from '@call-analytics/stand-in/recordings';

interface FlacBomb {
  bytes: number;
  sampleRate: number;
  /** 1 to 8. */
  channels: number;
  /** Whether the header tells the number of samples. */
  declared?: boolean;
}

const BLOCK_SAMPLES = 65_535;
const STREAM_INFO_BYTES = 34;

/** A FLAC of constant subframes: about 29 bytes for 65,535 samples of 8 channels. */
export function flacBomb({ bytes, sampleRate, channels, declared = true }: FlacBomb): Buffer {
  const frames: Buffer[] = [];
  let length = 0;
  for (; length < bytes; length += (frames.at(-1) as Buffer).length)
    frames.push(constantFrame(frames.length, channels));
  return Buffer.concat([flacHeader(sampleRate, channels, declared ? frames.length * BLOCK_SAMPLES : 0), ...frames]);
}

/** The marker and the STREAMINFO block. @param samples 0 where the header does not tell */
export function flacHeader(sampleRate: number, channels: number, samples: number): Buffer {
  const info = Buffer.alloc(STREAM_INFO_BYTES);
  info.writeUInt16BE(BLOCK_SAMPLES, 0);
  info.writeUInt16BE(BLOCK_SAMPLES, 2);
  // 20 bits of rate, 3 of channels, 5 of sample size, 36 of length.
  const packed =
    (BigInt(sampleRate) << 44n) | (BigInt(channels - 1) << 41n) | (7n << 36n) | (BigInt(samples) & 0xf_ffff_ffffn);
  info.writeBigUInt64BE(packed, 10);
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, STREAM_INFO_BYTES]), info]);
}

function constantFrame(number: number, channels: number): Buffer {
  const size = BLOCK_SAMPLES - 1;
  const header = [0xff, 0xf8, 0x70, ((channels - 1) << 4) | 0x02, ...utf8Number(number), size >> 8, size & 0xff];
  header.push(crc8(header));
  for (let channel = 0; channel < channels; channel += 1) header.push(0, number & 0x7f);
  const crc = crc16(header);
  return Buffer.from([...header, crc >> 8, crc & 0xff]);
}

/** As UTF-8, but for up to 36 bits: RFC 9639, 9.1.5. */
function utf8Number(value: number): number[] {
  if (value < 0x80) return [value];
  const tail: number[] = [];
  let rest = value;
  for (let room = 0x3f; rest > room; room >>= 1) {
    tail.unshift(0x80 | (rest & 0x3f));
    rest = Math.floor(rest / 64);
  }
  return [((0xff << (7 - tail.length)) & 0xff) | rest, ...tail];
}

function crc8(bytes: readonly number[]): number {
  return bytes.reduce((crc, byte) => CRC8[crc ^ byte] as number, 0);
}

function crc16(bytes: readonly number[]): number {
  return bytes.reduce((crc, byte) => ((crc << 8) & 0xffff) ^ (CRC16[(crc >> 8) ^ byte] as number), 0);
}

const CRC8 = crcTable(0x07, 8);
const CRC16 = crcTable(0x8005, 16);

function crcTable(polynomial: number, bits: number): number[] {
  const top = 2 ** (bits - 1);
  return Array.from({ length: 256 }, (_, byte) => {
    let crc = byte * 2 ** (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & top) === 0 ? crc << 1 : (crc << 1) ^ polynomial;
    return crc & (2 ** bits - 1);
  });
}

/** A WAV of silence, 8 bit, mono. @param codec the number of its format; 1 is PCM */
export function wavOf(sampleRate: number, samples: number, codec = 1): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(codec, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples, 40);
  return Buffer.concat([header, Buffer.alloc(samples, 0x80)]);
}

interface Edit {
  fromPacket: number;
  packets: number;
}

/** An M4A of 16 kHz that says the ten seconds of excerpt.m4a again and again: its chunks are the same bytes. */
export function m4aOf(packets: number, edits: readonly Edit[] = [{ fromPacket: 1, packets: packets - 1 }]): Buffer {
  const excerpt = readFileSync(join(FILES, 'excerpt.m4a'));
  const part = (type: string) => {
    const at = excerpt.indexOf(type) - 4;
    return excerpt.subarray(at, at + excerpt.readUInt32BE(at));
  };
  const media = Buffer.concat([part('ftyp'), part('mdat')]);
  const sizes = part('stsz').subarray(20);
  const chunk = sizes.length / 4;
  const chunks = Math.ceil(packets / chunk);
  const samples = chunks * chunk;
  const edited = edits.flatMap((edit) => [64 * edit.packets, 1_024 * edit.fromPacket, 0x1_0000]);
  const mdhd = Buffer.from(part('mdhd'));
  mdhd.writeUInt32BE(1_024 * samples, 24);
  const tables = [
    part('stsd'),
    table('stts', [1, samples, 1_024]),
    table('stsc', [1, 1, chunk, 1]),
    box('stsz', words([0, 0, samples]), ...Array.from({ length: chunks }, () => sizes)),
    table('stco', [chunks, ...Array.from({ length: chunks }, () => part('ftyp').length + 8)]),
  ];
  const mdia = box('mdia', mdhd, part('hdlr'), box('minf', box('stbl', ...tables)));
  const edts = box('edts', table('elst', [edits.length, ...edited]));
  return Buffer.concat([media, box('moov', part('mvhd'), box('trak', part('tkhd'), edts, mdia))]);
}

const table = (type: string, numbers: readonly number[]) => box(type, words([0, ...numbers]));

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, 8);
  return Buffer.concat([words([size]), Buffer.from(type), ...parts]);
}

function words(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * index);
  return bytes;
}
