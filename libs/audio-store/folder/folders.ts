import { constants } from 'node:fs';
import { access, mkdir, open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkedKey } from '../keys.ts';

/** Only the user that runs the service may read recordings. */
const FOLDER_MODE = 0o700;

/**
 * Where the recordings are: whole ones in one folder, those on their way in another beside it, so that a rename is all it takes to become whole. They are not spread
 * over subfolders: recordings stay for minutes, and file systems of today find a name among a million as fast as among ten.
 */
export class Folders {
  readonly recordings: string;
  readonly incoming: string;
  #made: Promise<void> | null = null;

  constructor(dir: string) {
    this.recordings = resolve(dir, 'recordings');
    this.incoming = resolve(dir, 'incoming');
  }

  /** Makes what is missing, once; a failure is forgotten so that the next call tries again. */
  async make(): Promise<void> {
    this.#made ??= this.#make().catch((error) => {
      this.#made = null;
      throw error;
    });
    return this.#made;
  }

  whole(key: string): string {
    return join(this.recordings, checkedKey(key));
  }

  /** While a recording comes in it has this name. The name is also the lock: it is made exclusively, so a key has one writer. */
  partial(key: string): string {
    return join(this.incoming, checkedKey(key));
  }

  async check(): Promise<void> {
    await this.make();
    for (const folder of [this.recordings, this.incoming])
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  }

  async #make(): Promise<void> {
    for (const folder of [this.recordings, this.incoming]) await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    await syncFolder(dirname(this.recordings));
  }
}

/** A name made, changed or removed in a folder survives the loss of power only once the folder itself is on disk. fsync(2), notes on directories. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
