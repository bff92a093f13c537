import { WorkError } from '@call-analytics/service-kit';

/** Nothing that could leave a folder, hide in it, or mean something in an address. */
export function isKey(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,128}$/.test(name);
}

/** @throws WorkError `bug` with code `audio_key_invalid` */
export function checkedKey(key: string): string {
  if (isKey(key)) return key;
  throw new WorkError({ kind: 'bug', code: 'audio_key_invalid', message: 'Something went wrong on our side.' });
}
