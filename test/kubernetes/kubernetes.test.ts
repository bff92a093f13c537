import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { describeNeeds, type Requirement } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';
import { type Load, type LoadReport, SEGMENTS } from './clients.fixture.ts';
import { Installation, MAX_WORKERS, type Release, SCALED_BY_KEDA, SERVICES } from './cluster.fixture.ts';
import { get, inNamespace, kubectl, NAMESPACE, pods, scale, untilShown } from './kubectl.fixture.ts';
import { COMPONENTS, copyManifests, OVERLAYS } from './manifests.fixture.ts';
import { alertNames, EMPTY_PANELS, Prometheus, QUICKER } from './prometheus.fixture.ts';

/** It installs into the cluster of the current context, so nobody gets it without asking for it. */
const cluster: Requirement = {
  what: 'a Kubernetes cluster with KEDA; npm run test:kubernetes uses the one of the current context',
  present: process.env.KUBERNETES === 'required',
};
const MINUTES = 60_000;
const CALLS_AT_A_TIME = 4;
const PROBE_MS = 20;
/** Killed together. No group has both ends of a connection between services. */
const KILLED = [
  ['accounts', 'analysis', 'cleanup', 'dispatcher', 'transcription'],
  ['api-gateway'],
  ['web', 'rabbitmq', 'minio'],
  ['mongodb'],
];
const WAITING_FOR_ENGINE = 'calls_waiting_for_dependency{dependency="speech_engine"}';

describeNeeds(cluster, 'on Kubernetes', () => {
  let installation: Installation;
  beforeAll(() => {
    installation = new Installation();
  });
  // The clients of a test that failed would disturb the next one.
  afterEach(() => installation.clients.endLoads());
  afterAll(() => installation.remove(), 3 * MINUTES);

  /** Nothing lost, nothing doubled, nothing different when it is read again. */
  const expectAllDone = ({ accepted, completed, failed, unfinished, changed, total }: LoadReport) => {
    expect({ failed, unfinished, changed, completed, total }).toEqual({
      failed: [],
      unfinished: [],
      changed: [],
      completed: accepted,
      total: accepted,
    });
  };
  const expectNoErrors = ({ serverErrors }: LoadReport) => expect(serverErrors).toEqual([]);
  const moreCalls = async (load: Load, calls: number, why: string) => {
    const [accepted, completed] = [load.accepted(), load.completed()];
    const are = () => load.accepted() >= accepted + calls && load.completed() >= completed + calls;
    await until(are, `${calls} calls are accepted and as many completed ${why}`, 2 * MINUTES);
  };

  const operator = (...command: string[]) =>
    installation.exec('deploy/ops', 'node', 'services/ops/src/main.ts', ...command);

  describe('the previous release', () => {
    beforeAll(() => installation.install('previous'), 8 * MINUTES);

    it(
      'is upgraded from the previous release under load, rolled back, and upgraded again',
      async () => {
        const paidBefore = await installation.paid();
        const load = installation.clients.load(CALLS_AT_A_TIME, PROBE_MS);
        for (const release of ['this', 'previous', 'this'] satisfies Release[]) {
          await moreCalls(load, 4, `before the change to ${release} release`);
          const before = await pods(...SERVICES);
          const cutBefore = load.cutConnections().length;
          await installation.apply(release);
          await inNamespace('wait', '--for=delete', 'pod', ...before, '--timeout=180s');
          // A proxy in front of the gateway makes 502 of a cut connection.
          expect(load.cutConnections().slice(cutBefore)).toEqual([]);
        }
        await moreCalls(load, 4, 'after the changes');
        const report = await load.stop();
        expectAllDone(report);
        expectNoErrors(report);
        // A worker that stops aborts what takes longer than 3 s, and the next one pays for it again.
        const again = (await installation.paid()) - paidBefore - report.accepted * SEGMENTS;
        expect(again).toBeGreaterThanOrEqual(0);
        expect(again).toBeLessThanOrEqual(2 * CALLS_AT_A_TIME * SEGMENTS);
      },
      10 * MINUTES,
    );
  });

  describe('this release', () => {
    // After the upgrade it is installed; otherwise it is installed from nothing.
    beforeAll(
      () => (installation.isInstalled ? installation.apply('this') : installation.install('this')),
      8 * MINUTES,
    );

    it('runs every service under the restricted policy, and isolates the decoder', async () => {
      const enforce = 'pod-security.kubernetes.io/enforce=restricted';
      const label = ['label', '--dry-run=server', '--overwrite', 'namespace', NAMESPACE, enforce];
      // The API server names each pod, or the first of several alike, that it would refuse.
      const warnings = await kubectl(...label, '--warnings-as-errors').catch(
        ({ stderr }: { stderr: string }) => stderr,
      );
      expect(warnings).toContain('Warning: mongodb-0 (and 1 other pod)');
      expect(SERVICES.filter((service) => warnings.includes(service))).toEqual([]);
      const log = await inNamespace('logs', 'deploy/transcription');
      expect(log).toMatch(/"layers":\["limits","no-new-privileges","seccomp"\],"msg":"the decoder is isolated"/);
    });

    it('has manifests without a field that the API server does not know', async () => {
      const folder = copyManifests(COMPONENTS);
      // Operators that the cluster lacks bring these kinds, which schemas.test.ts checks.
      const isExpected = /^Warning|no matches for kind "(ExternalSecret|PodMonitor|PrometheusRule)"|^ensure CRDs/;
      const check = async (overlay: string) => {
        const fresh = `--cache-dir=${join(folder, 'cache')}`;
        const apply = ['apply', '--dry-run=server', '--validate=strict', '-k', join(folder, 'k8s/overlays', overlay)];
        const errors = (error: { stderr: string }) => error.stderr.trim().split('\n');
        const said = await inNamespace(fresh, ...apply).then(() => [], errors);
        return said.filter((line) => !isExpected.test(line));
      };
      expect((await Promise.all([...OVERLAYS, 'all'].map(check))).flat()).toEqual([]);
      rmSync(folder, { recursive: true });
    });

    it('brings a call from its upload to its report', async () => {
      const load = installation.clients.load(1);
      await until(() => load.accepted() > 0, 'a call is accepted', 30_000);
      const report = await load.stop();
      expectAllDone(report);
      expectNoErrors(report);
    });

    it('has a pod for the commands of operators, which finds nothing wrong', async () => {
      expect(await operator('doctor')).toContain('Nothing is wrong.');
    });

    it(
      'scales workers with the work, not for an absent engine or a drained stage, and loses and doubles no call',
      async () => {
        await installation.scaled('transcription', 1, MINUTES);
        await installation.engineSays({ kind: 'server-error' });
        const first = installation.clients.load(1);
        const callsWait = async () => (await installation.figure(WAITING_FOR_ENGINE)) > 0;
        await untilShown(callsWait, 'the dispatcher counts calls that wait for the engine', MINUTES);
        const load = installation.clients.load(30);
        await until(() => load.accepted() === 30, '30 calls wait', MINUTES);
        // In this time it has reached the most workers below.
        for (const end = Date.now() + 40_000; Date.now() < end; await delay(1_000))
          expect((await get('deployment', 'transcription')).spec.replicas).toBe(1);
        await installation.engineSays(null);
        await installation.scaled('transcription', MAX_WORKERS, 2 * MINUTES);
        await operator('drain', 'analysis');
        const allWait = async () => (await installation.figure('calls_ready{stage="analysis"}')) === 31;
        await untilShown(allWait, 'all calls wait for the drained stage', 2 * MINUTES);
        for (const worker of SCALED_BY_KEDA) await installation.scaled(worker, 1, 3 * MINUTES);
        await operator('resume', 'analysis');
        const [report, { accepted }] = await Promise.all([load.stop(), first.stop()]);
        expectAllDone({ ...report, total: report.completed });
        expectNoErrors(report);
        expect(await installation.paid()).toBe((report.accepted + accepted) * SEGMENTS);
      },
      8 * MINUTES,
    );

    it(
      'loses nothing and answers every request while a drain evicts every pod of the services',
      async () => {
        const paidBefore = await installation.paid();
        const load = installation.clients.load(CALLS_AT_A_TIME, PROBE_MS);
        await moreCalls(load, 4, 'before the drain');
        const all = await pods(...SERVICES);
        await Promise.all(all.map((pod) => installation.evict(pod)));
        await installation.ready();
        await moreCalls(load, 4, 'after the drain');
        const report = await load.stop();
        expectAllDone(report);
        expectNoErrors(report);
        expect(load.cutConnections()).toEqual([]);
        expect((await installation.paid()) - paidBefore).toBe(report.accepted * SEGMENTS);
      },
      8 * MINUTES,
    );

    it(
      'loses nothing when every pod is killed once in the middle of calls, and pays again only for requests that a worker had open',
      async () => {
        const paidBefore = await installation.paid();
        const load = installation.clients.load(CALLS_AT_A_TIME);
        for (const group of KILLED) {
          await moreCalls(load, 1, `before ${group} are killed`);
          await Promise.all(group.map((name) => installation.kill(name)));
          await installation.ready();
        }
        await moreCalls(load, 1, 'after the kills');
        const report = await load.stop();
        expectAllDone(report);
        const again = (await installation.paid()) - paidBefore - report.accepted * SEGMENTS;
        expect(again).toBeGreaterThanOrEqual(0);
        expect(again).toBeLessThanOrEqual(CALLS_AT_A_TIME * SEGMENTS);
      },
      8 * MINUTES,
    );

    it(
      'has every call again after a backup, the loss of all servers and a restore, and finishes those in work',
      async () => {
        const load = installation.clients.load(2);
        await moreCalls(load, 2, 'before the backup');
        expectAllDone(await load.stop());
        await installation.engineSays({ kind: 'server-error' });
        const inWork = [await installation.clients.upload(), await installation.clients.upload()];
        const before = await installation.clients.calls();
        const [copy] = /\d{4}-\d\d-\d\dT\d{6}/.exec(await installation.backup()) ?? [];
        const { start } = await installation.wipe();
        await installation.backup(copy);
        await installation.engineSays(null);
        await start();
        const areDone = (calls: { status: string }[]) => calls.every(({ status }) => status === 'completed');
        const after = await untilShown(() => installation.clients.calls(), areDone, 2 * MINUTES);
        const others = (calls: { id: string }[]) => calls.filter(({ id }) => !inWork.includes(id));
        expect(others(after)).toEqual(others(before));
        expect(after.length).toBe(before.length);
        expect(await installation.paid()).toBe(inWork.length * SEGMENTS);
      },
      8 * MINUTES,
    );

    describe('Prometheus', () => {
      const prometheus = new Prometheus();
      beforeAll(() => prometheus.start(NAMESPACE), MINUTES);
      afterAll(() => prometheus.stop());
      const fires = async (...alerts: string[]) => {
        const missing = async () => {
          const fired = await prometheus.alerts('firing', MINUTES);
          return alerts.filter((alert) => !fired.includes(alert));
        };
        await untilShown(missing, ({ length }) => length === 0, 3 * MINUTES);
      };

      it(
        'has no alert in a time of normal work that counts for ten minutes',
        async () => {
          const all = [...SERVICES, 'rabbitmq'].sort();
          const services = async () => {
            const series = await prometheus.query('count by (service) (up == 1)');
            return series.map(({ metric }) => metric.service).sort();
          };
          await untilShown(services, ({ length }) => length === all.length, MINUTES);
          const load = installation.clients.load(CALLS_AT_A_TIME);
          await moreCalls(load, 4, 'before the time begins');
          const watched = (10 * MINUTES) / QUICKER;
          await delay(watched);
          expect(await prometheus.alerts('firing', watched)).toEqual([]);
          expect(await services()).toEqual(all);
          expectAllDone(await load.stop());
        },
        5 * MINUTES,
      );

      it(
        'has every alert when its trouble is there, and has shown series in every panel of the dashboards',
        async () => {
          await installation.exec('deploy/ops', 'node', '--input-type=module', '--eval', SEND_NO_MESSAGE);
          await fires('DeadLetters');

          await operator('drain', 'analysis');
          await installation.scaledByHand('transcription', 0);
          await scale('statefulset/rabbitmq', 0);
          const load = installation.clients.load(24);
          await fires('StageStalled', 'EventsNotRelayed', 'StageDrained');
          await operator('resume', 'analysis');

          await scale('statefulset/rabbitmq', 1);
          await installation.engineSays({ kind: 'delay', ms: 6_000 });
          await installation.scaledByHand('transcription', 1);
          const begun = () => prometheus.alerts('pending', MINUTES);
          await untilShown(begun, (pending) => pending.includes('CallsWaitLong'), 2 * MINUTES);

          await moreCalls(load, 1, 'since the broker is back');
          // The calls that a worker has now are completed, and their recordings stay.
          await scale('statefulset/minio', 0);
          await fires(
            'CallsWaitLong',
            'CallsWaitForDependency',
            'CircuitOpenLong',
            'AudioNotDeleted',
            'AudioDeletionsFail',
          );

          await scale('statefulset/minio', 1);
          await scale('deployment/dispatcher', 0);
          await fires('DispatcherMissing');

          await scale('deployment/dispatcher', 2);
          await installation.engineSays(null);
          await installation.scaledByHand('transcription', null);
          await installation.ready();
          expectAllDone(await load.stop());

          // The last alert: a worker whose quota is used up takes no call for five minutes.
          await installation.engineSays({ kind: 'quota' });
          await installation.clients.upload();
          await fires('EngineOutOfQuota');
          expect(await prometheus.alerts('firing', 15 * MINUTES)).toEqual(alertNames());

          // After so much trouble a panel that has shown nothing asks for what does not exist.
          expect(await prometheus.emptyPanels(15 * MINUTES)).toEqual(EMPTY_PANELS);
        },
        15 * MINUTES,
      );
    });

    it.each([
      ['RABBITMQ_URL=amqp://cleanup:wrong@rabbitmq:5672', 'ACCESS_REFUSED'],
      ['MONGODB_URL=mongodb://cleanup:wrong@mongodb:27017/call_analytics?authSource=admin', 'password of MONGODB_URL'],
      ['S3_SECRET_KEY=wrong', 'SignatureDoesNotMatch'],
    ])(
      'is not ready, says why, and keeps the pod before it with the wrong credential %s',
      async (wrong, reason) => {
        const before = await pods('cleanup');
        await inNamespace('set', 'env', 'deployment/cleanup', wrong);
        const newPods = async () => (await pods('cleanup')).filter((name) => !before.includes(name));
        const [pod = ''] = await untilShown(newPods, ({ length }) => length > 0, MINUTES);
        const readiness = () => installation.exec(pod, 'node', '--eval', PRINT_READINESS).catch(() => '');
        await untilShown(readiness, (text) => text.includes(reason), MINUTES);
        const ready = inNamespace('wait', '--for=condition=Ready', `pod/${pod}`, '--timeout=1s');
        await expect(ready).rejects.toThrow(`${pod} is not ready`);
        expect(await pods('cleanup')).toEqual(expect.arrayContaining(before));
        await inNamespace('set', 'env', 'deployment/cleanup', wrong.replace(/=.*/, '-'));
        await installation.ready();
      },
      2 * MINUTES,
    );
  });
});

const PRINT_READINESS = "fetch('http://127.0.0.1:9090/readyz').then(async (r) => console.log(await r.text()))";

/** No handler can take what is not JSON. */
const SEND_NO_MESSAGE = `
  import { connect } from 'amqplib';
  const connection = await connect(process.env.RABBITMQ_URL);
  const channel = await connection.createConfirmChannel();
  channel.sendToQueue('calls.cleanup', Buffer.from('not JSON'));
  await channel.waitForConfirms();
  await connection.close();
`;
