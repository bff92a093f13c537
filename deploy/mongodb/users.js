// Run by mongosh as the administrator, at each start (health.sh): initiates the replica set, and gives every service a
// user of its own with the rights that it needs. Repeating it changes nothing but passwords that were changed in .env.
const CALLS = 'call_analytics';
const ACCOUNTS = 'call_analytics_accounts';

/** What every service does with calls: it makes collections and indexes that are missing, and deletes nothing. */
const WORK = {
  resource: { db: CALLS, collection: '' },
  actions: [
    'find',
    'insert',
    'update',
    'changeStream',
    'createCollection',
    'createIndex',
    'listCollections',
    'listIndexes',
  ],
};
const removal = (...collections) =>
  collections.map((collection) => ({ resource: { db: CALLS, collection }, actions: ['remove'] }));
const ROLES = {
  calls_worker: [WORK],
  // Purges deleted calls, and drops indexes that only earlier releases use.
  calls_cleanup: [
    WORK,
    ...removal('calls', 'call_counts', 'spending'),
    { resource: { db: CALLS, collection: 'calls' }, actions: ['indexStats', 'dropIndex'] },
  ],
};
const USERS = {
  gateway: { role: 'calls_worker', db: CALLS },
  transcription: { role: 'calls_worker', db: CALLS },
  analysis: { role: 'calls_worker', db: CALLS },
  ops: { role: 'calls_worker', db: CALLS },
  dispatcher: { role: 'calls_worker', db: CALLS },
  cleanup: { role: 'calls_cleanup', db: CALLS },
  accounts: { role: 'readWrite', db: ACCOUNTS },
};

/** Accounts were in the database of the calls once. */
const MOVED = [
  'users',
  'sessions',
  'credentials',
  'members',
  'invitations',
  'user_links',
  'attempts',
  'installation',
  'accounts',
  'api_keys',
];

try {
  rs.status();
} catch {
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] });
}
if (db.hello().isWritablePrimary) {
  const admin = db.getSiblingDB('admin');
  const calls = db.getSiblingDB(CALLS);
  const earlier = new Set(calls.getCollectionNames());
  for (const name of MOVED.filter((each) => earlier.has(each))) {
    admin.runCommand({ renameCollection: `${CALLS}.${name}`, to: `${ACCOUNTS}.${name}` }).ok ||
      fail(`cannot move ${name} to ${ACCOUNTS}`);
  }
  for (const [name, privileges] of Object.entries(ROLES)) {
    if (calls.getRole(name) === null) calls.createRole({ role: name, privileges, roles: [] });
    else calls.updateRole(name, { privileges, roles: [] });
  }
  for (const [name, role] of Object.entries(USERS)) {
    const pwd = process.env[`MONGODB_${name.toUpperCase()}_PASSWORD`];
    if (!pwd) fail(`MONGODB_${name.toUpperCase()}_PASSWORD is not set`);
    if (admin.getUser(name) === null) admin.createUser({ user: name, pwd, roles: [role] });
    else admin.updateUser(name, { pwd, roles: [role] });
  }
  quit(0);
}
quit(1);

function fail(why) {
  print(why);
  quit(1);
}
