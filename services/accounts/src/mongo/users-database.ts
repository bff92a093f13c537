import { randomBytes } from 'node:crypto';
import type { MemberRole } from '@call-analytics/contracts';
import mongoose, { type Connection } from 'mongoose';
import { TABLES } from '../users/identities.ts';
import type { NewUserLink } from '../users/stores.ts';
import type { User } from '../users.ts';
import type { AccountDocument, KeyDocument } from './documents.ts';

type Collection<T extends mongoose.mongo.Document> = mongoose.mongo.Collection<T>;
export type Session = mongoose.mongo.ClientSession;

// The first three are better-auth's; of them here is what is read or written here.

export interface UserDocument {
  _id: string;
  name: string;
  email: string;
}

export function userOf({ _id: id, name, email }: UserDocument): User {
  return { id, name, email };
}

interface SessionDocument {
  _id: string;
  /** SHA-256 of the token, in hex. */
  token: string;
  userId: string;
  expiresAt: Date;
}

interface CredentialDocument {
  _id: string;
  userId: string;
  providerId: string;
  password: string;
}

/** `_id` is the user's. */
export interface MemberDocument {
  _id: string;
  accountId: string;
  role: MemberRole;
  joinedAt: Date;
}

/** `_id` is the SHA-256 of the token, in hex. */
export interface InvitationDocument {
  _id: string;
  id: string;
  accountId: string;
  role: MemberRole;
  createdAt: Date;
  expiresAt: Date;
}

/** `_id` is the SHA-256 of the token, in hex. */
interface UserLinkDocument {
  _id: string;
  id: string;
  kind: NewUserLink['kind'];
  userId: string;
  createdAt: Date;
  expiresAt: Date;
}

/** `_id` is the SHA-256 of the token, in hex. */
interface SignUpLinkDocument {
  _id: string;
  email: string | null;
  createdAt: Date;
  expiresAt: Date;
}

interface AttemptDocument {
  _id: string;
  count: number;
  expiresAt: Date;
}

/** One document, which the sign-up of a first user writes, so that two first users cannot pass each other. */
interface InstallationDocument {
  _id: 'installation';
  foundings: number;
  /** An account was deleted: there is no first user any more. */
  closed?: boolean;
  deviceSecret?: string;
}

/** `memberChanges` is written by whatever changes who belongs to the account: so two owners who give up at once cannot pass each other. */
type AccountWithChanges = AccountDocument & { memberChanges?: number };

export interface UsersDatabase {
  db: mongoose.mongo.Db;
  users: Collection<UserDocument>;
  sessions: Collection<SessionDocument>;
  credentials: Collection<CredentialDocument>;
  members: Collection<MemberDocument>;
  invitations: Collection<InvitationDocument>;
  links: Collection<UserLinkDocument>;
  attempts: Collection<AttemptDocument>;
  signUpLinks: Collection<SignUpLinkDocument>;
  installation: Collection<InstallationDocument>;
  accounts: Collection<AccountWithChanges>;
  keys: Collection<KeyDocument>;
  /** All or nothing, for a majority. Runs `work` again when another write came in between. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
}

export function usersDatabaseOf(connection: Connection): UsersDatabase {
  const { db } = connection;
  if (db === undefined) throw new Error('the connection is not open');
  return {
    db,
    users: db.collection(TABLES.user),
    sessions: db.collection(TABLES.session),
    credentials: db.collection(TABLES.account),
    members: db.collection('members'),
    invitations: db.collection('invitations'),
    links: db.collection('user_links'),
    attempts: db.collection('attempts'),
    signUpLinks: db.collection('sign_up_links'),
    installation: db.collection('installation'),
    accounts: db.collection('accounts'),
    keys: db.collection('api_keys'),
    transaction: (work) =>
      connection
        .getClient()
        .withSession((session) => session.withTransaction(work, { readConcern: { level: 'snapshot' } })),
  };
}

/** Makes what is missing; what is there already costs nothing. Any number of processes may do so at once. The names of fields and indexes stay: other versions read the same data. */
export async function prepareUsers(database: UsersDatabase): Promise<void> {
  const { db, users, sessions, credentials, members, invitations, links, attempts, installation } = database;
  // By name, because a transaction under way bears it badly when its first write makes the collection.
  const { db: _db, transaction: _transaction, ...collections } = database;
  for (const { collectionName } of Object.values(collections)) {
    await db.createCollection(collectionName).catch(unlessThere);
  }
  await users.createIndex({ email: 1 }, { name: 'email', unique: true });
  await sessions.createIndexes([
    { key: { token: 1 }, name: 'token', unique: true },
    { key: { userId: 1 }, name: 'of_user' },
    { key: { expiresAt: 1 }, name: 'by_end' },
  ]);
  await credentials.createIndex({ userId: 1 }, { name: 'of_user' });
  await members.createIndex({ accountId: 1, joinedAt: 1, _id: 1 }, { name: 'of_account' });
  await invitations.createIndex({ accountId: 1, createdAt: 1, id: 1 }, { name: 'of_account' });
  await links.createIndex({ userId: 1 }, { name: 'of_user' });
  await attempts.createIndex({ expiresAt: 1 }, { name: 'by_end' });
  await installation
    .updateOne({ _id: 'installation' }, { $setOnInsert: { foundings: 0 } }, { upsert: true })
    .catch(unlessThere);
  const deviceSecret = randomBytes(32).toString('hex');
  await installation.updateOne({ _id: 'installation', deviceSecret: { $exists: false } }, { $set: { deviceSecret } });
  await database.signUpLinks.createIndex({ expiresAt: 1 }, { name: 'by_end' });
}

const NAMESPACE_EXISTS = 48;
const DUPLICATE_KEY = 11_000;

/** Another process was a moment earlier. */
function unlessThere(error: unknown): void {
  if (!isDuplicate(error) && codeOf(error) !== NAMESPACE_EXISTS) throw error;
}

/** Whether there is a document already with what can be only once. */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === DUPLICATE_KEY;
}

function codeOf(error: unknown): unknown {
  return error instanceof mongoose.mongo.MongoServerError ? error.code : null;
}
