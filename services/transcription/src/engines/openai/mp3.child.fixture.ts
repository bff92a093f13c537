import { setTimeout as delay } from 'node:timers/promises';
import { Mp3Encoder } from './mp3.ts';

// Closes encoders in the middle of a long segment, when the thread is running and needs seconds more.
for (let n = 0; n < 8; n += 1) {
  const encoder = new Mp3Encoder();
  await encoder.encode(new Int16Array(16_000));
  const encoding = encoder.encode(new Int16Array(16_000 * 3_600)).catch(() => {});
  await delay(100 + 11 * n);
  await encoder.close();
  await encoding;
}
