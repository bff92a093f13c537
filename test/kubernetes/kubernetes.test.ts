import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeNeeds, type Requirement } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';
import { get, Installation, kubectl, type LoadReport, MOST_WORKERS, SEGMENTS } from './cluster.fixture.ts';
import { COMPONENTS, copyManifests, OVERLAYS } from './manifests.fixture.ts';

/** It installs into the cluster of the current context, so nobody gets it without asking for it. */
const cluster: Requirement = {
  what: 'a Kubernetes cluster with KEDA; npm run test:kubernetes uses the one of the current context',
  present: process.env.KUBERNETES === 'required',
};
const SERVICES = ['accounts', 'analysis', 'api-gateway', 'cleanup', 'dispatcher', 'transcription', 'web'];
const MINUTES = 60_000;

describeNeeds(cluster, 'on Kubernetes', () => {
  let installation: Installation;
  beforeAll(async () => {
    installation = new Installation();
    await installation.prepare();
  }, 8 * MINUTES);
  afterAll(() => installation.remove(), 3 * MINUTES);

  /** Nothing lost, nothing doubled. */
  const expectAllDone = ({ accepted, completed, failed, unfinished, total }: LoadReport) => {
    expect({ failed, unfinished, completed, total }).toEqual({
      failed: [],
      unfinished: [],
      completed: accepted,
      total: accepted,
    });
  };
  const serverErrors = ({ statuses }: LoadReport) => Object.keys(statuses).filter((status) => Number(status) >= 500);

  it('runs every service under the restricted policy, and isolates the decoder', async () => {
    const enforce = 'pod-security.kubernetes.io/enforce=restricted';
    const label = ['label', '--dry-run=server', '--overwrite', 'namespace', 'call-analytics', enforce];
    // The API server names each pod, or the first of several alike, that it would refuse.
    const warnings = await kubectl(...label, '--warnings-as-errors').catch(({ stderr }: { stderr: string }) => stderr);
    expect(warnings).toContain('Warning: mongodb-0 (and 1 other pod)');
    expect(SERVICES.filter((service) => warnings.includes(service))).toEqual([]);
    const log = await kubectl('-n', 'call-analytics', 'logs', 'deploy/transcription');
    expect(log).toMatch(/"layers":\["limits","no-new-privileges","seccomp"\],"msg":"the decoder is isolated"/);
  });

  it('has manifests without a field that the API server does not know', async () => {
    const folder = copyManifests(COMPONENTS);
    // Operators that the cluster lacks bring these kinds.
    const isExpected = /^Warning|no matches for kind "(ExternalSecret|PodMonitor|PrometheusRule)"|^ensure CRDs/;
    const check = async (overlay: string) => {
      const fresh = `--cache-dir=${join(folder, 'cache')}`;
      const apply = ['apply', '--dry-run=server', '--validate=strict', '-k', join(folder, 'k8s/overlays', overlay)];
      const errors = (error: { stderr: string }) => error.stderr.trim().split('\n');
      const said = await kubectl('-n', 'call-analytics', fresh, ...apply).then(() => [], errors);
      return said.filter((line) => !isExpected.test(line));
    };
    expect((await Promise.all([...OVERLAYS, 'all'].map(check))).flat()).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('brings a call from its upload to its report', async () => {
    const load = installation.load(1);
    await until(() => load.accepted() > 0, 'a call is accepted', 30_000);
    const report = await load.stop();
    expectAllDone(report);
    expect(serverErrors(report)).toEqual([]);
  });

  it('has a pod for the commands of operators, which finds nothing wrong', async () => {
    const doctor = ['exec', 'deploy/ops', '--', 'node', 'services/ops/src/main.ts', 'doctor'];
    expect(await kubectl('-n', 'call-analytics', ...doctor)).toContain('Nothing is wrong.');
  });

  it(
    'scales workers with the work and back, and loses no call and pays for none twice',
    async () => {
      await installation.scaled('transcription', 1, MINUTES);
      const paidBefore = await installation.paid();
      const load = installation.load(30);
      await installation.scaled('transcription', MOST_WORKERS, 2 * MINUTES);
      const report = await load.stop();
      await installation.scaled('transcription', 1, 3 * MINUTES);
      expectAllDone(report);
      expect(serverErrors(report)).toEqual([]);
      expect((await installation.paid()) - paidBefore).toBe(report.accepted * SEGMENTS);
    },
    7 * MINUTES,
  );

  it(
    'replaces every pod under load when a setting changes, and again for the way back',
    async () => {
      const before = await Promise.all(SERVICES.map((service) => installation.pods(service)));
      const paidBefore = await installation.paid();
      const load = installation.load(4);
      await installation.apply({ LOG_LEVEL: 'debug' });
      const between = await Promise.all(SERVICES.map((service) => installation.pods(service)));
      await installation.apply();
      const report = await load.stop();
      expect(between.flat().filter((pod) => before.flat().includes(pod))).toEqual([]);
      expectAllDone(report);
      expect(serverErrors(report)).toEqual([]);
      expect((await installation.paid()) - paidBefore).toBe(report.accepted * SEGMENTS);
    },
    6 * MINUTES,
  );

  it(
    'loses nothing when every pod is killed once in the middle of calls',
    async () => {
      const load = installation.load(4);
      for (const name of [...SERVICES, 'rabbitmq', 'minio', 'mongodb']) {
        const accepted = load.accepted();
        await until(() => load.accepted() >= accepted + 2, `calls are accepted before ${name} is killed`, MINUTES);
        const pods = await installation.pods(name);
        expect(pods).not.toEqual([]);
        await kubectl('-n', 'call-analytics', 'delete', 'pod', ...pods, '--force', '--grace-period=0');
        await installation.ready();
      }
      const report = await load.stop();
      expectAllDone(report);
    },
    8 * MINUTES,
  );

  it(
    'says which credential is wrong, in the readiness and in the log of the pod',
    async () => {
      const wrong = ['set', 'env', 'deployment/cleanup', 'RABBITMQ_URL=amqp://cleanup:wrong@rabbitmq:5672'];
      await kubectl('-n', 'call-analytics', ...wrong);
      const log = async () => {
        const { items } = await get('pods', '--selector', 'app.kubernetes.io/name=cleanup');
        const names = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name as string);
        return (
          await Promise.all(names.map((pod: string) => kubectl('-n', 'call-analytics', 'logs', pod).catch(noLogYet)))
        ).join('');
      };
      await until(async () => /refuse|ACCESS_REFUSED|403/i.test(await log()), 'the log names the refusal', MINUTES);
      await kubectl('-n', 'call-analytics', 'set', 'env', 'deployment/cleanup', 'RABBITMQ_URL-');
      await installation.ready();
    },
    2 * MINUTES,
  );
});

const noLogYet = () => '';
