import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type Client, type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

const ACCOUNTS = 20;
const EACH = 10;
let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway();
});
afterAll(() => gateway.stop());

/** A recording like no other. */
const recording = (account: number, n: number) => {
  const wav = audioFile('excerpt.wav');
  wav.write(`recording ${n} of account ${account}`, wav.length - 100);
  return wav;
};
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('200 uploads at once from 20 accounts', () => {
  it('all arrive, each with its own bytes in its own account', async () => {
    const clients: Client[] = [];
    for (let i = 0; i < ACCOUNTS; i += 1) clients.push(await gateway.newClient(`Account ${i}`));
    const answers = await Promise.all(
      clients.flatMap((client, account) =>
        Array.from({ length: EACH }, (_, n) =>
          gateway.upload(
            form([['file', { name: `${account}-${n}.wav`, bytes: recording(account, n) }]]),
            client.headers,
          ),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
    expect(await gateway.recordings()).toHaveLength(ACCOUNTS * EACH);

    const scratch = mkdtempSync(join(tmpdir(), 'crowd-'));
    for (const [account, client] of clients.entries()) {
      const { calls, total } = (await gateway.ask('/api/v1/calls', { headers: client.headers })).body as {
        calls: { id: string; fileName: string }[];
        total: number;
      };
      expect(total).toBe(EACH);
      expect(calls.map(({ fileName }) => fileName).sort()).toEqual(
        Array.from({ length: EACH }, (_, n) => `${account}-${n}.wav`).sort(),
      );
      for (const { id, fileName } of calls) {
        const call = await gateway.store.get(id);
        const file = join(scratch, id);
        await gateway.audioStore.fetch(call?.audio.key ?? '', file);
        expect(sha256(readFileSync(file))).toBe(sha256(recording(account, Number(fileName.split(/[-.]/)[1]))));
      }
    }
    rmSync(scratch, { recursive: true });
  });
});
