import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Calls } from '../calls.ts';
import { openSqliteCallStore } from './store.ts';

interface Child {
  process: ChildProcess;
  lines: string[];
  /** Resolves when it has said a line that begins so. */
  said(beginning: string, times?: number): Promise<void>;
  ended: Promise<void>;
}

describe('processes that share one call database', () => {
  let dir: string;
  let file: string;
  const children: Child[] = [];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'calls-'));
    file = join(dir, 'calls.sqlite');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.process.kill('SIGKILL');
      await child.ended;
    }
    await rm(dir, { recursive: true });
  });

  const start = (name: string): Child => {
    const script = fileURLToPath(new URL(`${name}.fixture.ts`, import.meta.url));
    const process_ = spawn(process.execPath, [script, file], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines: string[] = [];
    let rest = '';
    process_.stdout.on('data', (chunk) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    });
    const ended = once(process_, 'close').then(() => {});
    const said = async (beginning: string, times = 1) => {
      while (lines.filter((line) => line.startsWith(beginning)).length < times) {
        if (process_.exitCode !== null) throw new Error(`ended before it said "${beginning}": ${lines.slice(-3)}`);
        await Promise.race([once(process_.stdout, 'data'), ended]);
      }
    };
    const child = { process: process_, lines, said, ended };
    children.push(child);
    return child;
  };
  const about = (child: Child, what: string) =>
    child.lines.flatMap((line) => (line.startsWith(`${what} `) ? [line.split(' ')[1] ?? ''] : []));

  it('two workers racing for the same calls in two processes: each call goes to one of them', async () => {
    const store = openSqliteCallStore({ file });
    const calls = new Calls(store);
    const accepted: string[] = [];
    for (let n = 0; n < 150; n += 1) {
      const audio = { key: `key ${n}`, bytes: 1, format: 'mp3', seconds: 1 } as const;
      accepted.push(
        (await calls.accept({ accountId: 'account_1', fileName: 'a.mp3', reportType: 'medium', audio })).call.id,
      );
    }
    const racers = [start('claim-all'), start('claim-all')];
    await Promise.all(racers.map((racer) => racer.said('ready')));
    for (const racer of racers) racer.process.stdin?.write('go\n');
    await Promise.all(racers.map(({ ended }) => ended));
    expect(racers.flatMap((racer) => about(racer, 'got')).sort()).toEqual(accepted.sort());
    expect(
      racers.flatMap(({ lines }) => lines).filter((line) => line.startsWith('got') && !line.endsWith(' 1')),
    ).toEqual([]);
    await store.close();
  });

  it('two that start together make the database once', async () => {
    const two = [start('claim-all'), start('claim-all')];
    await Promise.all(two.map((child) => child.said('ready')));
  });

  it('one that opens a new database waits for another that is making it', async () => {
    await start('hold-new').said('holding');
    const store = openSqliteCallStore({ file, busyTimeoutMs: 30_000 });
    expect(await store.ready()).toBeNull();
    await store.close();
  });

  it.each([1, 7, 23])(
    'a process killed in the middle of a burst of writes leaves each write it told of, and an outbox that matches (%i)',
    async (calls) => {
      const burst = start('burst');
      const beside = start('burst');
      await Promise.all([burst.said('transcribed', calls), beside.said('accepted', 1)]);
      burst.process.kill('SIGKILL');
      beside.process.kill('SIGKILL');
      await Promise.all([burst.ended, beside.ended]);

      const store = openSqliteCallStore({ file });
      const events = (await store.outbox(100_000)).map(({ message }) => `${message.type} ${message.data.callId}`);
      expect(new Set(events).size).toBe(events.length);
      const { calls: kept, total } = await store.list('account_1', { limit: 100_000, offset: 0 });
      expect(total).toBe(kept.length);
      for (const child of [burst, beside]) {
        for (const id of about(child, 'accepted')) expect(kept.map((call) => call.id)).toContain(id);
        for (const id of about(child, 'claimed')) expect((await store.get(id))?.attempt).toBe(1);
        for (const id of about(child, 'segment')) expect(await store.segments(id)).toHaveLength(1);
        for (const id of about(child, 'transcribed'))
          expect(await store.get(id)).toMatchObject({ stage: 'analysis', lease: null });
      }
      for (const { id, status } of kept) {
        expect(events).toContain(`call.uploaded ${id}`);
        expect(events.includes(`call.transcribed ${id}`)).toBe(status === 'analyzing');
        expect((await store.transcript(id)) !== null).toBe(status === 'analyzing');
      }
      await store.close();
      const db = new DatabaseSync(file);
      expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      db.close();
    },
  );
});
