import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeMessage } from '@call-analytics/contracts';
import type { DeadLetter, Messaging } from '@call-analytics/messaging';
import { rabbitmqMessaging } from '@call-analytics/messaging/rabbitmq';
import { makeLogger, makeMetrics } from '@call-analytics/service-kit';
import { describeWithServers } from '@call-analytics/test/servers/index.ts';
import { ranAlone, ranHere } from '@call-analytics/test/terminal.fixture.ts';
import { until } from '@call-analytics/test/until.fixture.ts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runCli } from './cli.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

describeWithServers('the command for operators, with dead letters', (servers) => {
  let host: Awaited<ReturnType<typeof servers.virtualHost>>;
  let messaging: Messaging;

  beforeEach(async () => {
    host = await servers.virtualHost();
    messaging = await rabbitmqMessaging({ url: host.url, log: makeLogger('test', 'silent'), metrics: makeMetrics() });
  });
  afterEach(async () => {
    await messaging.close();
    await host.remove();
  });

  const ops = (...args: string[]) =>
    ranHere((terminal) => runCli(['dead-letters', ...args], { RABBITMQ_URL: host.url }, terminal));

  /** Messages that a handler has refused: `call_0`, `call_1`, ... @returns their dead letters' ids, oldest first */
  const dead = async (count: number) => {
    const consumer = await messaging.consume(
      'cleanup',
      async () => ({ kind: 'failed', reason: 'no such call\nat all' }),
      {
        concurrency: 1,
      },
    );
    for (let i = 0; i < count; i += 1) {
      await messaging.publish(
        makeMessage('call.completed', { callId: `call_${i}`, accountId: 'acc_1' }, `message_${i}`, '/test', new Date()),
      );
    }
    await until(
      () => messaging.deadLetters(100),
      (letters) => letters.length === count,
    );
    await consumer.close();
    const callOf = ({ body }: DeadLetter) => Number(JSON.parse(body).data.callId.slice('call_'.length));
    return (await messaging.deadLetters(100)).sort((a, b) => callOf(a) - callOf(b)).map(({ id }) => id);
  };

  it('says when there are none', async () => {
    expect(await ops('list')).toEqual({ code: 0, out: 'No dead letters.\n', err: '' });
    expect(JSON.parse((await ops('list', '--json')).out)).toEqual({ deadLetters: [] });
    expect((await ops('replay', '--all')).out).toBe('0 of 0 replayed.\n');
  });

  it('is a program that ends when it has answered: nothing of the broker holds it', async () => {
    const env = { RABBITMQ_URL: host.url };
    expect(await ranAlone(MAIN, ['dead-letters', 'list'], env)).toEqual({
      code: 0,
      out: 'No dead letters.\n',
      err: '',
    });
  });

  it('lists each in one line, shows the message of one, and replays it', async () => {
    const [first = '', second = ''] = await dead(2);
    const { out } = await ops('list');
    expect(out.trim().split('\n')).toHaveLength(2);
    for (const id of [first, second]) expect(out).toMatch(new RegExp(`^${id}  .*  cleanup        no such call$`, 'm'));
    expect((await ops('list', '--limit', '1')).out).toContain('There may be more');
    const { deadLetters } = JSON.parse((await ops('list', '--json')).out) as { deadLetters: DeadLetter[] };
    expect(new Set(deadLetters.map(({ id }) => id))).toEqual(new Set([first, second]));

    const shown = await ops('show', second);
    expect(shown.out).toContain('"callId": "call_1"');
    expect(shown.out).toContain('no such call\nat all');
    expect(JSON.parse((await ops('show', second, '--json')).out).deadLetter).toMatchObject({
      id: second,
      queue: 'cleanup',
    });

    expect((await ops('replay', second)).out).toBe(`${second} returned to its queue.\n`);
    expect(await messaging.depth('cleanup')).toBe(1);
    expect((await messaging.deadLetters(10)).map(({ id }) => id)).toEqual([first]);
  });

  it.each(['show', 'replay'])('%s of one that is not there says so and exits with 1', async (verb) => {
    const { code, out, err } = await ops(verb, 'nothing');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('Dead letter not found: nothing');
    expect(err).toContain('dead-letters list');
  });

  it('replays all, and tells of each', async () => {
    const ids = await dead(5);
    const { code, out } = await ops('replay', '--all');
    expect(code).toBe(0);
    for (const id of ids) expect(out).toContain(`${id} returned to the queue cleanup.`);
    expect(out).toContain('5 of 5 replayed.');
    expect(await messaging.depth('cleanup')).toBe(5);
    expect(await messaging.deadLetters(10)).toEqual([]);
  });

  it('loses nothing when it is killed in the middle of replaying: each message is in its queue or still a dead letter', async () => {
    await dead(40);
    const child = spawn(process.execPath, [MAIN, 'dead-letters', 'replay', '--all'], {
      env: { RABBITMQ_URL: host.url },
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const inQueue = new Set<string>();
    const consumer = await messaging.consume(
      'cleanup',
      async ({ data }) => {
        inQueue.add(data.callId);
        return { kind: 'done' };
      },
      { concurrency: 10 },
    );
    const all = Array.from({ length: 40 }, (_, i) => `call_${i}`);
    await until(
      async () => {
        const letters = (await messaging.deadLetters(100)).map(({ body }) => JSON.parse(body).data.callId as string);
        return new Set([...inQueue, ...letters]);
      },
      (there) => all.every((callId) => there.has(callId)),
    );
    await consumer.close();
    expect(inQueue.size).toBeGreaterThan(0);
    expect(inQueue.size).toBeLessThan(40);
  });
});
