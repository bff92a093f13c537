import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES } from '@call-analytics/stand-in/recordings';
import { flacBomb } from '@call-analytics/transcription/decode/hostile.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../until.fixture.ts';
import { Installation } from './installation.fixture.ts';

describe('a small recording that decodes to gigabytes', () => {
  let installation: Installation;

  beforeEach(async () => {
    installation = await Installation.withStandIn();
  });
  afterEach(() => installation.remove());

  it("fails with its reason, while another account's call completes and the service answers", async () => {
    const hostile = await installation.client('Hostile');
    const other = await installation.client('Other');
    await installation.start();
    const bomb = join(installation.dataDir, 'bomb.flac');
    await writeFile(bomb, flacBomb({ bytes: 100_000, sampleRate: 192_000, channels: 8 }));

    const bombs = await Promise.all([hostile.uploaded(bomb), hostile.uploaded(bomb)]);
    const started = ({ msg, callId }: Record<string, unknown>) => msg === 'started' && bombs.includes(String(callId));
    await until(() => installation.log.some(started), 'a hostile recording is being decoded');
    const id = await other.uploaded(join(FILES, 'excerpt.mp3'));
    expect((await fetch(`${installation.url}/healthz`)).status).toBe(200);
    expect(await other.finished(id)).toMatchObject({ status: 'completed' });
    for (const each of bombs)
      expect(await hostile.finished(each)).toMatchObject({ status: 'failed', errorCode: 'audio_too_demanding' });
    expect((await fetch(`${installation.url}/healthz`)).status).toBe(200);
    expect(installation.standIn.requests.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0)).toBeLessThan(60);
  });
});
