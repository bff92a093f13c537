import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { TABLES } from '../users/identities.ts';
import { VERSION } from './database.ts';

type Document = Record<string, SQLOutputValue | Date | boolean>;

/** For each collection in MongoDB its documents, as mongo/database.ts describes them. */
const QUERIES: Readonly<Record<string, string>> = {
  accounts: 'SELECT id AS _id, name, created_at AS createdAt FROM accounts',
  api_keys: `
    SELECT id AS _id, lower(hex(hash)) AS hash, account_id AS accountId, name, prefix, scope, created_by AS createdBy,
      created_at AS createdAt, expires_at AS expiresAt, last_used_at AS lastUsedAt, revoked_at AS revokedAt
      FROM api_keys`,
  [TABLES.user]: 'SELECT id AS _id, name, email, emailVerified, image, createdAt, updatedAt FROM users',
  [TABLES.session]: `
    SELECT id AS _id, token, userId, expiresAt, createdAt, updatedAt, ipAddress, userAgent FROM sessions`,
  [TABLES.account]: `
    SELECT id AS _id, accountId, providerId, userId, password, createdAt, updatedAt FROM credentials`,
  members: 'SELECT user_id AS _id, account_id AS accountId, role, joined_at AS joinedAt FROM members',
  invitations: `
    SELECT hash AS _id, id, account_id AS accountId, role, created_at AS createdAt, expires_at AS expiresAt
    FROM invitations`,
  user_links: `
    SELECT hash AS _id, id, kind, user_id AS userId, created_at AS createdAt, expires_at AS expiresAt FROM user_links`,
  attempts: 'SELECT key AS _id, count, expires_at AS expiresAt FROM attempts',
  sign_up_links: 'SELECT hash AS _id, email, created_at AS createdAt, expires_at AS expiresAt FROM sign_up_links',
  installation: `
    SELECT 'installation' AS _id, 0 AS foundings, closed, device_secret AS deviceSecret FROM installation`,
};
const BOOLEANS = new Set(['emailVerified', 'closed']);
/** better-auth stores no field without a value. */
const WITHOUT_NULL = new Set<string>(Object.values(TABLES));

/** The ids of all accounts in a copy of the database, which is not changed. */
export function accountIdsIn(copy: string): Set<string> {
  const db = new DatabaseSync(copy, { readOnly: true });
  try {
    return new Set(
      db
        .prepare('SELECT id FROM accounts')
        .all()
        .map(({ id }) => String(id)),
    );
  } finally {
    db.close();
  }
}

/**
 * The accounts, keys, users and sessions of a standalone installation as documents of MongoDB.
 * @param file a copy of its database, which is not changed
 * @throws Error when another release has written it
 */
export function accountsInSqlite(file: string): (collection: string) => Iterable<Document> {
  openCopy(file).close();
  return function* (collection) {
    const query = QUERIES[collection];
    if (query === undefined) throw new Error(`no query for the collection ${collection}`);
    const db = openCopy(file);
    try {
      for (const row of db.prepare(query).iterate()) {
        const fields = Object.entries(row).map(([name, value]) => [name, fieldOf(name, value)] as const);
        yield Object.fromEntries(fields.filter(([, value]) => value !== null || !WITHOUT_NULL.has(collection)));
      }
    } finally {
      db.close();
    }
  };
}

function openCopy(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true });
  const version = db.prepare('PRAGMA user_version').get()?.user_version;
  if (version === VERSION) return db;
  db.close();
  throw new Error(
    `The accounts have version ${version}; this release moves version ${VERSION}. Start this release on the ` +
      'standalone installation, stop it, and back it up again.',
  );
}

/** Times are milliseconds since 1970, and those of better-auth ISO 8601. */
function fieldOf(name: string, value: SQLOutputValue): Document[string] {
  if (BOOLEANS.has(name)) return value === 1;
  if (name.endsWith('At') && (typeof value === 'number' || typeof value === 'string')) return new Date(value);
  return value;
}
