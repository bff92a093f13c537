import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { describeNeeds, program } from '../requirements.fixture.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('npm run k8s:check', () => {
  const sound = {
    serverVersion: { major: '1', minor: '34+' },
    apis: ['apps/v1', 'keda.sh/v1alpha1'],
    hasStorage: true,
  };
  const rendered = 'apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\n---\nspec:\n  volumeClaimTemplates:\n';
  it.each([
    ['nothing of a cluster that has all', {}, '', []],
    [
      'that the cluster is too old',
      { serverVersion: { major: '1', minor: '29' } },
      '',
      [/runs Kubernetes 1\.29.*1\.30 or later/],
    ],
    [
      'that KEDA is missing',
      { apis: ['apps/v1'] },
      '',
      [/KEDA is not installed: install it .* or remove the component/],
    ],
    ['that volumes cannot be made', { hasStorage: false }, '', [/no default StorageClass/]],
    [
      'that a secret is empty, once',
      {},
      '  MONGODB_URL: ""\n---\n  MONGODB_URL: ""\n',
      [/^MONGODB_URL is empty: fill it in/],
    ],
    [
      'nothing of autoscalers that ask the dispatcher beside them',
      {},
      '  namespace: a\n      url: http://dispatcher.a.svc:9090/metrics\n',
      [],
    ],
    [
      'that autoscalers ask a dispatcher in another namespace',
      {},
      '  namespace: b\n      url: http://dispatcher.a.svc:9090/metrics\n',
      [/^KEDA asks the dispatcher of the namespace a: patch url/],
    ],
    [
      'that links and the Ingress have the host of the example',
      {},
      '  PUBLIC_URL: https://calls.example.com\n',
      [/^The host is still calls\.example\.com/],
    ],
    ['that the image has no digest', {}, `image: x@sha256:${'0'.repeat(64)}\n`, [/no digest: set newName and digest/]],
  ])('reports %s', async (_what, cluster, more, expected) => {
    const { problems } = (await import(join(root, 'k8s/check.mjs'))) as {
      problems(cluster: typeof sound, rendered: string): string[];
    };
    expect(problems({ ...sound, ...cluster }, rendered + more)).toEqual(
      expected.map((pattern) => expect.stringMatching(pattern)),
    );
  });
});

describeNeeds(program('kubectl'), 'npm run k8s:check, without a cluster', () => {
  it('says once why kubectl gets no answer, and exits with 1', () => {
    const check = join(root, 'k8s/check.mjs');
    const noCluster = { PATH: process.env.PATH, HOME: tmpdir(), KUBECONFIG: join(tmpdir(), 'no-such-file') };
    const { status, stdout, stderr } = spawnSync(process.execPath, [check], { env: noCluster, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.match(/connection to the server .* was refused/g)).toHaveLength(1);
  });
});
