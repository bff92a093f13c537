export interface Settled<T> {
  values: T[];
  /** Throws the first failure, if there was one. */
  mustAllSucceed(): void;
}

/** Waits until all have ended: one that fails does not hold up the others. */
export async function settled<T>(of: readonly Promise<T>[]): Promise<Settled<T>> {
  const results = await Promise.allSettled(of);
  return {
    values: results.filter((result) => result.status === 'fulfilled').map(({ value }) => value),
    mustAllSucceed() {
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
  };
}
