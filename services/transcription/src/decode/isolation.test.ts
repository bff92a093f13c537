import { readSettings } from '@call-analytics/service-kit';
import { itNeeds } from '@call-analytics/test/requirements.ts';
import { describe, expect, it } from '@jest/globals';
import { transcriptionSettings } from '../settings.ts';
import { requireIsolation } from './isolation.ts';

const supported = {
  what: 'Linux on x64 or arm64',
  present: process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch),
};
const MEMORY_BYTES = 512 * 2 ** 20;

describe('DECODER_ISOLATION', () => {
  it('is preferred by default, and one of two words', () => {
    expect(readSettings(transcriptionSettings, {}).DECODER_ISOLATION).toBe('preferred');
    expect(() => readSettings(transcriptionSettings, { DECODER_ISOLATION: 'yes' })).toThrow('DECODER_ISOLATION');
  });

  itNeeds(supported, 'required lets the service start where the decoder can be isolated', async () => {
    expect(await requireIsolation(MEMORY_BYTES)).toEqual(
      expect.arrayContaining(['limits', 'no-new-privileges', 'seccomp']),
    );
  });
});
