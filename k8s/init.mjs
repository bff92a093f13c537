// Writes the files of the secrets that an overlay reads: `npm run k8s:init -- local` (random values) or `production`
// (to fill in). Plain JavaScript without packages, because it runs before `npm ci`.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentsOf } from '../deploy/arguments.mjs';

const USAGE = `Writes the secrets of an overlay: random values, or for production empty ones to fill in.

  npm run k8s:init [-- local | production]   local by default; with FOLDER after it, of an overlay in that folder`;

const secret = () => randomBytes(24).toString('hex');
const MONGODB = ['gateway', 'accounts', 'dispatcher', 'transcription', 'analysis', 'cleanup', 'ops'];
const RABBITMQ = ['gateway', 'dispatcher', 'transcription', 'analysis', 'cleanup', 'ops'];

/** @returns {Record<string, Record<string, string>>} the variables of each Secret; without a value: fill it in */
function secrets(isLocal) {
  const [mongodb, rabbitmq] = [MONGODB, RABBITMQ].map((users) => new Map(users.map((user) => [user, secret()])));
  const [s3Secret, accountsSecret] = [secret(), secret()];
  const calls = (user, database = 'call_analytics') =>
    isLocal ? `mongodb://${user}:${mongodb.get(user)}@mongodb:27017/${database}?authSource=admin&replicaSet=rs0` : '';
  const stores = (user) => ({
    MONGODB_URL: calls(user),
    RABBITMQ_URL: isLocal ? `amqp://${user}:${rabbitmq.get(user)}@rabbitmq:5672` : '',
  });
  const s3 = { S3_ACCESS_KEY: isLocal ? 'call-analytics' : '', S3_SECRET_KEY: isLocal ? s3Secret : '' };
  const engine = { OPENAI_API_KEY: isLocal ? 'sk-stand-in-key' : '' };
  // An empty value counts as not set.
  const optional = (...names) => (isLocal ? {} : Object.fromEntries(names.map((name) => [name, ''])));
  const services = {
    'api-gateway': { ...stores('gateway'), ...s3, ACCOUNTS_SECRET: accountsSecret },
    accounts: {
      MONGODB_URL: calls('accounts', 'call_analytics_accounts'),
      ACCOUNTS_SECRET: accountsSecret,
      ...optional('ACCOUNTS_SECRET_PREVIOUS', 'SMTP_URL'),
    },
    dispatcher: stores('dispatcher'),
    transcription: { ...stores('transcription'), ...s3, ...engine, ...optional('TRANSCRIPTION_API_KEY') },
    analysis: { ...stores('analysis'), ...(isLocal ? {} : engine), ...optional('ANALYSIS_API_KEY') },
    cleanup: { ...stores('cleanup'), ...s3 },
    ops: { ...stores('ops'), ACCOUNTS_MONGODB_URL: calls('accounts', 'call_analytics_accounts'), ...s3 },
  };
  if (!isLocal) return services;
  const passwords = (of, server) =>
    Object.fromEntries([...of].map(([user, value]) => [`${server}_${user.toUpperCase()}_PASSWORD`, value]));
  return {
    ...services,
    mongodb: {
      MONGO_INITDB_ROOT_USERNAME: 'root',
      MONGO_INITDB_ROOT_PASSWORD: secret(),
      ...passwords(mongodb, 'MONGODB'),
    },
    rabbitmq: { RABBITMQ_DEFAULT_USER: 'calls', RABBITMQ_DEFAULT_PASS: secret(), ...passwords(rabbitmq, 'RABBITMQ') },
    minio: { MINIO_ROOT_USER: s3.S3_ACCESS_KEY, MINIO_ROOT_PASSWORD: s3.S3_SECRET_KEY },
  };
}

function init(overlay = 'local', root = fileURLToPath(new URL('overlays', import.meta.url))) {
  const folder = join(root, overlay, 'secrets');
  if (overlay !== 'local' && overlay !== 'production') {
    process.stderr.write(`Unexpected argument '${overlay}'.\n\n${USAGE}\n`);
    process.exitCode = 2;
  } else if (existsSync(folder)) {
    // The servers keep the passwords of their first start.
    process.stdout.write(`${folder} exists: nothing was written. Delete it to make new secrets.\n`);
  } else {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [name, variables] of Object.entries(secrets(overlay === 'local'))) {
      const lines = Object.entries(variables).map(([variable, value]) => `${variable}=${value}\n`);
      writeFileSync(join(folder, `${name}.env`), lines.join(''), { mode: 0o600 });
    }
    const next = overlay === 'local' ? '' : ' Fill in the empty values that you need.';
    process.stdout.write(`The secrets are in ${folder}.${next}\n`);
  }
}

const args = argumentsOf(USAGE, 2);
if (args !== null) init(...args);
