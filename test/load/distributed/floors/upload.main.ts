import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { s3Options } from '@call-analytics/audio-store/minio';
import { Client as S3 } from 'minio';
import { obey } from '../../harness/child.ts';
import type { Environment } from '../environment/installation.ts';
import { audioSettings } from '../environment/settings.ts';

// The least that a Node server can do with an upload: hand the body to the vendor's own streaming put, which is told
// the length. It looks at nothing and checks nothing.

await obey<{ environment: Environment }, null, number>(async ({ environment }) => {
  const s3 = new S3(s3Options(audioSettings(environment)));
  let uploads = 0;
  const server = createServer(async (request, response) => {
    uploads += 1;
    await s3.putObject(environment.S3_BUCKET, `floor-${uploads}`, request, Number(request.headers['content-length']));
    response.writeHead(202).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return async () => port;
});
