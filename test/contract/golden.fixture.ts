import { readdirSync, readFileSync } from 'node:fs';
import type { MessageType } from '@call-analytics/contracts';

const FOLDER = new URL('../../libs/contracts/golden/', import.meta.url);

interface GoldenSample {
  type: MessageType;
  version: number;
  /** The bytes on the body, as some release sends or has sent them. */
  body: string;
}

/**
 * A sample of every version of every message that was ever published. Whatever handles messages must handle all of
 * these.
 */
export function goldenSamples(): GoldenSample[] {
  return readdirSync(FOLDER).flatMap((type) =>
    readdirSync(new URL(`${type}/`, FOLDER)).map((file) => ({
      type: type as MessageType,
      version: Number(/^v(\d+)\.json$/.exec(file)?.[1]),
      body: readFileSync(new URL(`${type}/${file}`, FOLDER), 'utf8'),
    })),
  );
}
