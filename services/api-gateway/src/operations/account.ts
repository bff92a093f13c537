import type { ApiKey } from '@call-analytics/accounts';
import {
  AccountDeletion,
  CreatedKey,
  type Key,
  KeyList,
  Me,
  NewKey,
  storedTerms,
  Vocabulary,
} from '@call-analytics/contracts';
import { LIST_BODY_BYTES } from '../http/input.ts';
import { HttpProblem, revisionConflict } from '../http/problem.ts';
import { ME, VOCABULARY } from '../openapi/examples.ts';
import { type Dependencies, DONE, operation } from './operation.ts';

const api = {
  getAccount: operation(
    {
      method: 'get',
      path: '/api/v1/me',
      tag: 'Account',
      summary: 'Read the account',
      description: 'Returns the account of the API key. Use it to check that a key is valid.',
      caller: 'client',
      answer: { status: 200, description: 'The account', schema: Me, examples: { account: ME } },
    },
    async ({ caller: { account, key } }) => ({
      id: account.id,
      name: account.name,
      createdAt: account.createdAt.toISOString(),
      key: key && currentKeyView(key),
    }),
  ),
};

const app = {
  deleteAccount: operation(
    {
      method: 'delete',
      path: '/app/account',
      tag: 'Account',
      summary: 'Delete the account',
      description:
        'For owners. Users, sessions, invitations and keys are deleted at once. Calls cannot be read any more and ' +
        'are deleted in the background.',
      caller: 'session',
      body: AccountDeletion,
      answer: DONE,
      problems: ['not_allowed', 'account_name_differs', 'wrong_password', 'too_many_attempts'],
    },
    async ({ res, body: { accountName, password }, caller: { session, actor } }, { users, calls, sessions }) => {
      if (session.role !== 'owner') throw new HttpProblem('not_allowed', 'Only owners can delete the account.');
      if (accountName.trim() !== session.account.name)
        throw new HttpProblem(
          'account_name_differs',
          'The name does not match the name of the account. Type it exactly.',
        );
      await users.confirmOwner({ actor, password });
      // The calls first: after a crash here the owner can repeat the deletion. In the other order the calls would stay.
      await calls.removeAccount(actor.accountId);
      await users.deleteAccount({ actor });
      sessions.clearCookie(res);
    },
  ),
};

export const accountOperations = { api, app };

export const keyOperations = {
  listKeys: operation(
    {
      method: 'get',
      path: '/app/keys',
      tag: 'API keys',
      summary: 'List the API keys of the account',
      description: 'For owners and members.',
      caller: 'session',
      answer: { status: 200, description: 'The keys, oldest first, revoked ones too', schema: KeyList },
    },
    async ({ caller: { actor } }, { accounts }) => {
      const { keys } = await accounts.listKeys({ accountId: actor.accountId });
      return { keys: keys.map(keyView) };
    },
  ),

  makeKey: operation(
    {
      method: 'post',
      path: '/app/keys',
      tag: 'API keys',
      summary: 'Create an API key',
      description:
        'For owners and members. The key is revoked when the user who created it leaves the account or resets their ' +
        'password. The secret is returned only in this response.',
      caller: 'session',
      body: NewKey,
      answer: { status: 201, description: 'The key with its secret', schema: CreatedKey },
      problems: ['invalid_name', 'invalid_expiry', 'too_many_keys'],
    },
    async ({ body: { name, scope, expiresAt }, caller: { actor } }, { accounts }) => {
      const { key, secret } = await accounts.createKey({
        accountId: actor.accountId,
        name,
        scope,
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
        createdBy: actor.userId,
      });
      return { key: keyView(key), secret };
    },
  ),

  revokeKey: operation(
    {
      method: 'delete',
      path: '/app/keys/{id}',
      tag: 'API keys',
      summary: 'Revoke an API key',
      description: 'For owners and members, so that everyone who notices a leak can stop it.',
      caller: 'session',
      answer: DONE,
      problems: ['key_not_found'],
    },
    async ({ id, caller: { actor } }, { accounts }) => {
      const { revoked } = await accounts.revokeKey({ accountId: actor.accountId, keyId: id });
      if (!revoked) throw new HttpProblem('key_not_found', 'API key not found, or already revoked.');
    },
  ),
};

/** A key as its holder reads it. */
function currentKeyView(key: ApiKey): Me['key'] {
  const { createdBy, revokedAt, ...view } = keyView(key);
  return view;
}

/** A key without its secret. Field by field, because the record may have fields that are not public. */
function keyView({ createdAt, expiresAt, lastUsedAt, revokedAt, ...key }: ApiKey): Key {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scope: key.scope,
    createdBy: key.createdBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}

const answer = { status: 200, description: 'The vocabulary', schema: Vocabulary, examples: { vocabulary: VOCABULARY } };

/** The names and words that an account expects in its calls. */
export const vocabularyOperations = {
  getVocabulary: operation(
    {
      method: 'get',
      path: '/api/v1/vocabulary',
      tag: 'Account',
      summary: 'Read the vocabulary',
      description: 'The names and words that the account expects in its calls, in the order of their importance.',
      caller: 'client',
      answer,
    },
    async ({ caller: { account } }, { calls }) => vocabularyOf(calls, account.id),
  ),

  setVocabulary: operation(
    {
      method: 'put',
      path: '/api/v1/vocabulary',
      tag: 'Account',
      summary: 'Replace the vocabulary',
      description:
        'Replaces the whole list. The speech engine gets it with calls that are transcribed from now on: the models ' +
        'of OpenAI and Whisper servers take the first terms, the Whisper model on the machine takes none. Of terms ' +
        'that differ in case alone, the first is kept. Send the `revision` that you have read; with an older one ' +
        'nothing is changed.',
      caller: 'client',
      body: Vocabulary,
      bodyBytes: LIST_BODY_BYTES,
      answer,
      problems: ['revision_conflict'],
    },
    async ({ body: { revision, terms }, caller: { account } }, { calls }) => {
      const stored = storedTerms(terms);
      if (!(await calls.saveSettings(account.id, 'vocabulary', revision, stored)))
        throw revisionConflict('The vocabulary', (await vocabularyOf(calls, account.id)).revision, revision);
      return { revision: revision + 1, terms: stored };
    },
  ),
};

async function vocabularyOf({ reads }: Dependencies['calls'], accountId: string): Promise<Vocabulary> {
  const found = await reads.settings(accountId, 'vocabulary');
  return found === null
    ? { revision: 0, terms: [] }
    : Vocabulary.parse({ revision: found.revision, terms: found.value });
}
