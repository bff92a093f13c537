import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { TestService } from './process.fixture.ts';

describe('a service in a process of its own', () => {
  const services: Pick<TestService, 'remove'>[] = [];
  afterEach(() => Promise.all(services.splice(0).map((service) => service.remove())));
  const run = (...of: ConstructorParameters<typeof TestService>) => {
    const service = new TestService(...of);
    services.push(service);
    return service;
  };
  /** A port that something listens on until the test is over. */
  const takenPort = async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    services.push({ remove: async () => void server.close() });
    return (server.address() as AddressInfo).port;
  };
  const freePort = async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    return String(port);
  };
  const ask = async (url: string, path: string) => {
    const response = await fetch(`${url}${path}`, { headers: { connection: 'close' } });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  };

  describe('with wrong settings', () => {
    it('ends at once and names all that are wrong, its own and those of every service, on stderr', async () => {
      const schema = `z.object({
        PORT: z.coerce.number().describe('where it listens'),
        API_KEY: z.string().startsWith('sk-'),
      })`;
      const wrong = { LOG_LEVEL: 'loud', PORT: 'here', API_KEY: 'hunter2', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
      const service = run('return []', wrong, schema);
      expect(await service.ended()).toBe(1);
      for (const said of [
        'LOG_LEVEL is "loud"',
        'PORT is "here"',
        'where it listens',
        'API_KEY has a wrong value',
        'PROTOCOL is "grpc"',
      ])
        expect(service.stderr).toContain(said);
      expect(service.stderr).not.toMatch(/hunter2|at .*\.ts/);
    });

    it('that only its parts can find wrong ends as well', async () => {
      const service = run(
        `const { SettingsError } = await import('@call-analytics/service-kit');
        throw new SettingsError('Set an engine.');`,
      );
      expect(await service.ended()).toBe(1);
      expect(service.stderr).toBe('Set an engine.\n');
    });

    it('ends when its port for operators is taken, and says which setting to change', async () => {
      const port = await takenPort();
      const service = run(`return [part('server')]`, { OPS_PORT: String(port) });
      expect(await service.ended()).toBe(1);
      expect(service.stderr).toBe(
        `Cannot listen on 127.0.0.1, port ${port}: it is in use. Stop the program that listens there, ` +
          'or set another OPS_PORT.\n',
      );
      expect(service.said).not.toContain('start server');
    });
  });

  describe('tells operators', () => {
    it('that it is alive, whether it can work, its metrics, and what else there is to ask', async () => {
      const service = run(`metrics.audioOrphans.inc(3); return [part('server')]`);
      const url = String((await service.logged('ready')).ops);
      expect(await ask(url, '/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
      expect(await ask(url, '/readyz?verbose')).toEqual({ status: 200, body: { status: 'ready' } });
      const { body } = await ask(url, '/metrics');
      expect(body).toContain('audio_orphans_total 3');
      expect(body).toContain('process_resident_memory_bytes');
      expect(await ask(url, '/')).toMatchObject({ status: 404, body: { paths: ['/healthz', '/readyz', '/metrics'] } });
    });

    it('which of its parts cannot work, and why', async () => {
      const service = run(
        `return [
          part('store', { ready: () => 'no answer' }), part('server'), part('bug', { ready: () => { throw 1 } }),
        ]`,
      );
      const url = String((await service.logged('ready')).ops);
      expect(await ask(url, '/readyz')).toEqual({
        status: 503,
        body: { status: 'not ready', reasons: ['store: no answer', 'bug: a check failed'] },
      });
    });

    it('that it is starting, and later that it is stopping', async () => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const until = (signal: string) => `() => new Promise((done) => process.once('${signal}', done))`;
      const service = run(`return [part('server', { start: ${until('SIGUSR2')}, stop: ${until('SIGUSR2')} })]`, {
        OPS_PORT: port,
      });
      await service.logged('start server');
      expect(await ask(url, '/readyz')).toMatchObject({ status: 503, body: { reasons: ['starting'] } });
      expect(await ask(url, '/healthz')).toMatchObject({ status: 200 });
      service.kill('SIGUSR2');
      await service.logged('ready');
      service.kill('SIGTERM');
      await service.logged('stop server');
      expect(await ask(url, '/readyz')).toMatchObject({ status: 503, body: { reasons: ['stopping'] } });
      service.kill('SIGUSR2');
      expect(await service.ended()).toBe(0);
    });
  });

  describe('that needs a server which is not there yet', () => {
    it('is alive, says what it waits for, and goes on when it is there', async () => {
      const port = await freePort();
      const service = run(`if (tries === 1) throw away('The store does not answer.'); return [part('server')]`, {
        OPS_PORT: port,
      });
      await service.logged('cannot start yet; trying again');
      expect(await ask(`http://127.0.0.1:${port}`, '/readyz')).toMatchObject({
        status: 503,
        body: { reasons: ['The store does not answer.'] },
      });
      await service.logged('ready');
      expect(await ask(`http://127.0.0.1:${port}`, '/readyz')).toMatchObject({ status: 200 });
    });

    it('stops what it had started before it tries again', async () => {
      const service = run(
        `return [part('store'), part('server', { start: () => { if (tries === 1) throw away('Not yet.'); } })]`,
      );
      await service.logged('ready');
      expect(service.said.filter((msg) => /store|server/.test(msg))).toEqual([
        'start store',
        'started store',
        'start server',
        'stop server',
        'stopped server',
        'stop store',
        'stopped store',
        'start store',
        'started store',
        'start server',
        'started server',
      ]);
    });

    it('ends with 0 when it is told to stop meanwhile', async () => {
      const service = run(`throw away('The store does not answer.')`);
      await service.logged('cannot start yet; trying again');
      service.kill('SIGTERM');
      expect(await service.ended()).toBe(0);
      expect(service.said).not.toContain('ready');
    });

    it('ends when what is missing will not come by itself', async () => {
      const service = run(`throw new TypeError('a bug')`);
      expect(await service.ended()).toBe(1);
      expect(service.stderr).toContain('TypeError: a bug');
    });
  });

  describe('told to stop', () => {
    it.each(['SIGTERM', 'SIGINT'] as const)('by %s stops its parts in reverse and ends with 0', async (signal) => {
      const service = run(`return [part('store'), part('consumer'), part('server')]`);
      await service.logged('ready');
      service.kill(signal);
      expect(await service.ended()).toBe(0);
      expect(service.said.filter((msg) => msg.startsWith('stopped '))).toEqual([
        'stopped server',
        'stopped consumer',
        'stopped store',
      ]);
    });

    it('drains its parts and works on for SHUTDOWN_DELAY, not ready, before it stops them', async () => {
      const service = run(`return [part('server', { drain: () => log.info('drain server') }), part('store')]`, {
        SHUTDOWN_DELAY: '1s',
      });
      const { ops } = (await service.logged('ready')) as { ops: string };
      service.kill('SIGTERM');
      await service.logged('drain server');
      expect(await ask(ops, '/readyz')).toEqual({
        status: 503,
        body: expect.objectContaining({ reasons: ['stopping'] }),
      });
      expect(service.said).not.toContain('stop store');
      expect(await service.ended()).toBe(0);
      expect(service.said.slice(service.said.indexOf('drain server'))).toEqual([
        'drain server',
        'stop store',
        'stopped store',
        'stop server',
        'stopped server',
        'stopped',
      ]);
    });

    it('ends with 1 when a part does not stop within SHUTDOWN_DEADLINE; the others are asked to all the same', async () => {
      const service = run(`return [part('store'), part('server', { stop: () => new Promise(() => {}) })]`, {
        SHUTDOWN_DEADLINE: '1s',
      });
      await service.logged('ready');
      service.kill('SIGTERM');
      expect(await service.ended()).toBe(1);
      expect(service.said).toContain('stop store');
    });

    it('while its parts start lets them finish that, and stops them', async () => {
      const slow = `start: () => new Promise((done) => process.once('SIGTERM', () => setTimeout(done, 50)))`;
      const service = run(`return [part('store'), part('consumer', { ${slow} }), part('server')]`);
      await service.logged('start consumer');
      service.kill('SIGTERM');
      expect(await service.ended()).toBe(0);
      expect(service.said.filter((msg) => msg.startsWith('stopped '))).toEqual([
        'stopped server',
        'stopped consumer',
        'stopped store',
      ]);
      expect(service.said).not.toContain('ready');
    });

    it('while a part never ends to start, it ends with 1 after SHUTDOWN_DEADLINE', async () => {
      const service = run(`return [part('consumer', { start: () => new Promise(() => {}) })]`, {
        SHUTDOWN_DEADLINE: '1s',
      });
      await service.logged('start consumer');
      service.kill('SIGTERM');
      expect(await service.ended()).toBe(1);
    });
  });

  it.each([
    ['an error that nobody caught', `throw new Error('a bug')`],
    ['a rejection that nobody handled', `Promise.reject(new Error('a bug'))`],
  ])('ends with 1 after %s, having said so and given back what it had in flight', async (_what, bug) => {
    const service = run(`process.once('SIGUSR2', () => { ${bug} }); return [part('store'), part('server')]`);
    await service.logged('ready');
    service.kill('SIGUSR2');
    expect(await service.ended()).toBe(1);
    expect(service.lines).toContainEqual(
      expect.objectContaining({ level: 'fatal', err: expect.objectContaining({ message: 'a bug' }) }),
    );
    expect(service.said.slice(-4)).toEqual(['stop server', 'stopped server', 'stop store', 'stopped store']);
  });

  it('ends with 1 after a bug that it meets while it stops, however clean the rest of the stop was', async () => {
    const bug = `stop: () => new Promise((seen) => {
      process.once('uncaughtException', seen);
      setImmediate(() => { throw new Error('a bug') });
    })`;
    const service = run(`return [part('store', { ${bug} }), part('server')]`);
    await service.logged('ready');
    service.kill('SIGTERM');
    expect(await service.ended()).toBe(1);
    expect(service.said).toEqual(expect.arrayContaining(['uncaught error: stopping', 'stopped store', 'stopped']));
  });
});
