import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { closes, type Part, startParts } from './lifecycle.ts';
import { makeLogger } from './log.ts';

const silent = makeLogger('test', 'silent');

describe('the parts of a service', () => {
  const happened: string[] = [];
  const part = (name: string, { start, stop }: Partial<Pick<Part, 'start' | 'stop'>> = {}): Part => ({
    name,
    async start() {
      happened.push(`start ${name}`);
      await start?.();
    },
    async stop(deadline) {
      happened.push(`stop ${name}`);
      await stop?.(deadline);
    },
  });
  const begin = () => {
    happened.length = 0;
  };

  it('start in order, each when the one before it runs, and stop in reverse', async () => {
    begin();
    const slow = {
      async start() {
        await nextTurn();
        happened.push('store runs');
      },
    };
    const running = await startParts([part('store', slow), part('consumer'), part('server')], silent);
    expect(happened).toEqual(['start store', 'store runs', 'start consumer', 'start server']);
    expect(await running.stop()).toBe(true);
    expect(happened.slice(4)).toEqual(['stop server', 'stop consumer', 'stop store']);
  });

  it('stop again when one of them does not start, and the error is thrown', async () => {
    begin();
    const broken = part('server', { start: () => Promise.reject(new Error('the port is taken')) });
    await expect(startParts([part('store'), broken, part('never')], silent)).rejects.toThrow('the port is taken');
    expect(happened).toEqual(['start store', 'start server', 'stop server', 'stop store']);
  });

  it('stop again when a queue of the service has no handler, and the error names the queue', async () => {
    begin();
    const start = (unhandled: string[]) => {
      const messaging = closes('messaging', { close: async () => {}, unhandledQueues: () => unhandled });
      return startParts([messaging, part('worker')], silent);
    };
    await expect(start(['cleanup'])).rejects.toThrow('No part of this service consumes: cleanup.');
    expect(happened).toEqual(['start worker', 'stop worker']);
    expect(await (await start([])).stop()).toBe(true);
  });

  it('stop once, however often it is asked', async () => {
    begin();
    const running = await startParts([part('store')], silent);
    expect(await Promise.all([running.stop(), running.stop()])).toEqual([true, true]);
    await running.stop();
    expect(happened.filter((event) => event === 'stop store')).toHaveLength(1);
  });

  it('are all stopped although one of them fails to, and the stop is not called clean', async () => {
    begin();
    const broken = part('consumer', { stop: () => Promise.reject(new Error('the broker is gone')) });
    const running = await startParts([part('store'), broken, part('server')], silent);
    expect(await running.stop()).toBe(false);
    expect(happened.slice(3)).toEqual(['stop server', 'stop consumer', 'stop store']);
  });

  it('are told when the time is up, are not waited for any longer, and the rest are still asked to stop', async () => {
    begin();
    let toldInTime: boolean | null = null;
    const stuck = part('server', {
      stop: (deadline) => {
        deadline.addEventListener('abort', () => {
          toldInTime = true;
        });
        return new Promise(() => {});
      },
    });
    const running = await startParts([part('store'), stuck], silent, 20);
    expect(await running.stop()).toBe(false);
    expect(toldInTime).toBe(true);
    expect(happened.slice(2)).toEqual(['stop server', 'stop store']);
  });
});

describe('a process told to end', () => {
  const service = (stop: string) => `
    import { makeLogger, startParts, stopOnSignals } from '@call-analytics/service-kit';
    const alive = setInterval(() => {}, 1000);
    const part = { name: 'part', start: async () => {}, stop: ${stop} };
    const log = makeLogger('test', 'info');
    stopOnSignals(await startParts([part], log, 200), log);
    process.stdout.write('up');`;
  /** @returns the exit code, and all that it wrote */
  const run = async (
    stop: string,
    onUp: (kill: (signal: NodeJS.Signals) => void, wrote: Promise<unknown>) => void | Promise<void>,
  ) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', service(stop)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
    });
    const exited = once(child, 'exit');
    await once(child.stdout, 'data');
    await onUp((signal) => child.kill(signal), once(child.stdout, 'data'));
    const [code] = await exited;
    return { code, output };
  };

  it.each(['SIGTERM', 'SIGINT'] as const)('by %s stops its parts and ends with 0', async (signal) => {
    const { code, output } = await run("async () => process.stdout.write('part stopped')", (kill) => kill(signal));
    expect(code).toBe(0);
    expect(output).toContain('part stopped');
  });

  it('ends with 1 when a part does not stop in time', async () => {
    const { code } = await run('() => new Promise(() => {})', (kill) => kill('SIGTERM'));
    expect(code).toBe(1);
  });

  it('ends at once when told twice', async () => {
    const endless = 'async () => { for (;;) await new Promise((resolve) => setTimeout(resolve, 1)); }';
    const { code, output } = await run(endless, async (kill, stopping) => {
      kill('SIGTERM');
      await stopping;
      kill('SIGTERM');
    });
    expect(code).toBe(1);
    expect(output).not.toContain('"clean"');
  });
});
