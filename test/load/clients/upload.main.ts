import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { cpuUsage } from 'node:process';
import { obey } from '../harness/child.ts';
import { waveHeader } from '../harness/wave.ts';

// A client that costs as little as one can: a socket and the same prebuilt piece of memory again and again.

export interface Upload {
  port: number;
  path: string;
  headers: Record<string, string>;
  /** Of the file; the multipart envelope comes on top. */
  bytes: number;
}

export interface Uploaded {
  /** From the first byte of the request to the end of the answer. */
  ms: number;
  /** Processor time of this client. */
  cpuMs: number;
  status: number;
}

// As long as curl's: the server's search for the boundary goes faster the longer it is.
const BOUNDARY = '------------------------8d9f3b0c6a7e41f2c5d0a1';
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
const PIECE = randomFillSync(Buffer.alloc(1 << 20));

await obey<null, Upload, Uploaded>(async () => upload);

async function upload({ port, path, headers, bytes }: Upload): Promise<Uploaded> {
  const form = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="call.wav"\r\ncontent-type: audio/wav\r\n\r\n`;
  const head = Buffer.concat([Buffer.from(form), waveHeader(bytes)]);
  const fileHeader = head.length - form.length;
  const request = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    'connection: close',
    `content-type: multipart/form-data; boundary=${BOUNDARY}`,
    `content-length: ${form.length + bytes + TAIL.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const answer: Buffer[] = [];
  socket.on('data', (chunk) => answer.push(chunk));
  const ended = once(socket, 'end');
  const cpuBefore = cpuUsage();
  const began = performance.now();
  socket.write(request);
  socket.write(head);
  for (let left = bytes - fileHeader; left > 0; left -= PIECE.length) {
    if (!socket.write(left >= PIECE.length ? PIECE : PIECE.subarray(0, left)))
      await Promise.race([once(socket, 'drain'), ended]);
    if (socket.readableEnded) break;
  }
  socket.write(TAIL);
  await ended;
  const ms = performance.now() - began;
  const cpu = cpuUsage(cpuBefore);
  socket.destroy();
  return {
    ms,
    cpuMs: (cpu.user + cpu.system) / 1000,
    status: Number(Buffer.concat(answer).toString('latin1').split(' ')[1]),
  };
}
