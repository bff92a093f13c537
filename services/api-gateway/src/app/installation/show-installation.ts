import { AUDIO_FORMATS } from '@call-analytics/contracts';
import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function showInstallation({ users, maxUploadBytes }: AppParts): Handler<Operations['showInstallation']> {
  return async ({ origin: { local } }) => {
    const { signUp: policy, resetByMail } = await users.installation();
    const signUp = policy === 'first' && !local ? 'setup' : policy;
    return { signUp, passwordReset: resetByMail ? 'mail' : 'operator', maxUploadBytes, formats: [...AUDIO_FORMATS] };
  };
}
