import { connect, databaseSchemas, nameOf } from './database.ts';

export interface DatabaseFacts {
  /** Of the server, such as `8.0.4`. */
  version: string;
  /** How far the clock of this machine is ahead of the server's, in ms. */
  clockAheadMs: number;
  /** `collection.index`, of those that the services create. */
  missingIndexes: string[];
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
    const missingIndexes: string[] = [];
    for (const schema of databaseSchemas) {
      const name = nameOf(schema);
      const there = await db
        .collection(name)
        .indexes()
        .catch(() => []);
      const names = new Set(there.map((index) => index.name));
      for (const [, { name: index }] of schema.indexes())
        if (!names.has(String(index))) missingIndexes.push(`${name}.${index}`);
    }
    return { version: String(version), clockAheadMs, missingIndexes };
  } finally {
    await connection.close();
  }
}
