import { storedTerms, Vocabulary } from '@call-analytics/contracts';
import { LIST_BODY_BYTES } from '../http/input.ts';
import { revisionConflict } from '../http/problem.ts';
import { VOCABULARY } from '../openapi/examples.ts';
import { type Dependencies, operation } from './operation.ts';

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
      problems: [],
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
        'Replaces the whole list. The speech engine gets it with calls that are transcribed from now on: the models of ' +
        'OpenAI and Whisper servers take the first terms, the Whisper model on the machine takes none. Of terms that ' +
        'differ in case alone, the first is kept. Send the `revision` that you have read; with an older one nothing ' +
        'is changed.',
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
