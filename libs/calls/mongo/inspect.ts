import { connect, databaseSchemas, nameOf } from './database.ts';

interface DatabaseFacts {
  /** Of the server, such as `8.0.4`. */
  version: string;
  /** How far the clock of this machine is ahead of the server's, in ms. */
  clockAheadMs: number;
  /** `collection.index`, of those that the services create. */
  missingIndexes: string[];
  /** `collection.index`, of those that an earlier release made and this one does not use. */
  unusedIndexes: string[];
}

/**
 * Looks at the database and changes nothing.
 * @throws as `connect`
 */
export async function inspectDatabase(url: string): Promise<DatabaseFacts> {
  const connection = await connect(url);
  try {
    const db = connection.db;
    if (db === undefined) throw new Error('the connection is not open');
    const before = Date.now();
    const { localTime } = await db.admin().command({ hello: 1 });
    const clockAheadMs = (before + Date.now()) / 2 - (localTime as Date).getTime();
    const { version } = await db.admin().command({ buildInfo: 1 });
    const [missingIndexes, unusedIndexes]: [string[], string[]] = [[], []];
    for (const schema of databaseSchemas) {
      const name = nameOf(schema);
      const there = await db
        .collection(name)
        .indexes()
        .catch(() => []);
      const names = new Set(there.map((index) => String(index.name)));
      const used = new Set(['_id_', ...schema.indexes().map(([, index]) => String(index.name))]);
      missingIndexes.push(...[...used].filter((index) => !names.has(index)).map((index) => `${name}.${index}`));
      unusedIndexes.push(...[...names].filter((index) => !used.has(index)).map((index) => `${name}.${index}`));
    }
    return { version: String(version), clockAheadMs, missingIndexes, unusedIndexes };
  } finally {
    await connection.close();
  }
}
