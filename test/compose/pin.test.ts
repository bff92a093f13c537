import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { IMAGES } from '../servers/index.ts';

interface Pin {
  imagesOf(compose: string): Record<string, string>;
  pinned(image: string, repoDigests: string[]): string | null;
  withImages(text: string, images: Record<string, string>): string;
}

const root = new URL('../../', import.meta.url);
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const OTHER = `sha256:${'f'.repeat(64)}`;

describe('npm run compose:pin', () => {
  let script: Pin;
  beforeAll(async () => {
    script = (await import(fileURLToPath(new URL('deploy/compose/pin.mjs', root)))) as Pin;
  });

  it('knows every image that compose does not build, and the base of those that it builds', async () => {
    const compose = await readFile(new URL('docker-compose.yml', root), 'utf8');
    const images = script.imagesOf(compose);
    expect(images).toEqual({
      NODE_IMAGE: expect.stringMatching(/^node:/),
      MONGODB_IMAGE: IMAGES.mongodb,
      RABBITMQ_IMAGE: IMAGES.rabbitmq,
      MINIO_IMAGE: IMAGES.minio,
      PROMETHEUS_IMAGE: expect.stringMatching(/^prom\/prometheus:v/),
      GRAFANA_IMAGE: expect.stringMatching(/^grafana\/grafana:/),
      JAEGER_IMAGE: expect.stringMatching(/^jaegertracing\/jaeger:/),
    });
    const others = [...compose.matchAll(/^ +image: (.*)$/gm)]
      .map(([, image]) => image)
      .filter((image) => !image?.startsWith('${'));
    expect(others.sort()).toEqual(['call-analytics', 'call-analytics-stand-in']);
    expect(await readFile(new URL('deploy/Dockerfile', root), 'utf8')).toContain(`ARG NODE=${images.NODE_IMAGE}\n`);
    expect(Object.keys(parseEnv(await readFile(new URL('.env.example', root), 'utf8')))).toEqual(
      expect.arrayContaining(Object.keys(images)),
    );
  });

  it('takes the digest of the image itself, and none of an image that was built here', () => {
    const { minio } = IMAGES;
    expect(script.pinned('mongo:8', [`other/mongo@${OTHER}`, `mongo@${DIGEST}`])).toBe(`mongo:8@${DIGEST}`);
    expect(script.pinned(minio, [`quay.io/minio/minio@${DIGEST}`])).toBe(`${minio}@${DIGEST}`);
    expect(script.pinned('localhost:5000/mongo:8', [`localhost:5000/mongo@${DIGEST}`])).toBe(
      `localhost:5000/mongo:8@${DIGEST}`,
    );
    expect(script.pinned('mongo:8', [])).toBeNull();
    expect(script.pinned('mongo:8', [`other/mongo@${OTHER}`])).toBeNull();
  });

  it('replaces what was pinned before, and keeps everything else', () => {
    const text = script.withImages('PORT=1\nMONGODB_IMAGE=mongo:8@old\n# mine\n\n', {
      MONGODB_IMAGE: `mongo:8@${DIGEST}`,
    });
    expect(text).toBe(`PORT=1\n# mine\nMONGODB_IMAGE=mongo:8@${DIGEST}\n`);
    expect(script.withImages('', { MONGODB_IMAGE: 'a' })).toBe('MONGODB_IMAGE=a\n');
  });
});
