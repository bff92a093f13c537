import { AUDIO_FORMATS } from '@call-analytics/contracts';
import type { Handler } from '../operation.ts';
import type { Operations } from '../operations.ts';
import type { AppParts } from '../parts.ts';

export function showInstallation({ users, maxUploadBytes }: AppParts): Handler<Operations['showInstallation']> {
  return async () => {
    const { signUp, resetByMail } = await users.installation();
    return { signUp, passwordReset: resetByMail ? 'mail' : 'operator', maxUploadBytes, formats: [...AUDIO_FORMATS] };
  };
}
