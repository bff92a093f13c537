import { hash, timingSafeEqual } from 'node:crypto';
import { Metadata } from '@grpc/grpc-js';

const HEADER = 'authorization';

/** @returns what a service shows to be let in: RFC 6750, as in HTTP */
export function metadataWith(secret: string | undefined): Metadata {
  const metadata = new Metadata();
  if (secret !== undefined) metadata.set(HEADER, `Bearer ${secret}`);
  return metadata;
}

/** @param secret undefined where nobody is asked for one */
export function showsSecret(metadata: Metadata, secret: string | undefined): boolean {
  if (secret === undefined) return true;
  const shown = metadata.get(HEADER);
  return shown.length === 1 && isSame(String(shown[0]), `Bearer ${secret}`);
}

/** In a time that tells nothing of where or by what length they differ. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
