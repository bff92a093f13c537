import type { Vocabulary } from '@call-analytics/contracts';
import { Anchor, Textarea } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api, ProblemError } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { useSession } from '../auth/session.tsx';
import { useDraft } from '../chunks/chunk.tsx';
import { notify } from '../common/notices.tsx';
import { Loaded } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import { CardForm, inWords, linesOf, Section } from './settings-page.tsx';

const { common } = texts;
const words = texts.settings.vocabulary;

const vocabularyQuery = queryOptions({
  queryKey: keys.vocabulary,
  queryFn: ({ signal }) => answered(api.GET('/api/v1/vocabulary', { signal })),
});

export function VocabularyPage() {
  const query = useQuery(vocabularyQuery);
  return (
    <Section title={words.title} lead={words.lead}>
      <Loaded of={query} heights={[320]}>
        {(vocabulary) => <Editor loaded={vocabulary} />}
      </Loaded>
    </Section>
  );
}

/** Keeps the list that is edited while a newer one is loaded in the background. */
function Editor({ loaded }: { loaded: Vocabulary }) {
  const [edited, edit] = useState(loaded);
  return <Terms key={edited.revision} vocabulary={edited} replace={edit} />;
}

function Terms({
  vocabulary: { revision, terms },
  replace,
}: {
  vocabulary: Vocabulary;
  replace: (latest: Vocabulary) => void;
}) {
  const { user } = useSession();
  const [text, setText, forgetDraft] = useDraft(`${user.id} vocabulary ${revision}`, terms.join('\n'));
  const lines = linesOf(text);
  const show = (latest: Vocabulary) => {
    forgetDraft();
    queryClient.setQueryData(vocabularyQuery.queryKey, latest);
    replace(latest);
  };
  const saving = useMutation({
    mutationFn: () => save({ revision, terms: lines }),
    onSuccess: (saved) => {
      show(saved);
      notify({ message: words.saved });
    },
  });
  const loading = useMutation({ mutationFn: () => answered(api.GET('/api/v1/vocabulary')), onSuccess: show });
  return (
    <CardForm
      wide
      submit={common.save}
      disabled={lines.join('\n') === terms.join('\n')}
      saving={{ mutate: saving.mutate, isPending: saving.isPending, error: loading.error ?? saving.error }}
    >
      <Textarea
        label={words.terms}
        description={words.hint}
        placeholder={words.example}
        autosize
        minRows={8}
        maxRows={24}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {saving.error instanceof ProblemError && saving.error.code === 'revision_conflict' && (
        <Anchor component="button" type="button" size="sm" w="fit-content" onClick={() => loading.mutate()}>
          {words.load}
        </Anchor>
      )}
    </CardForm>
  );
}

async function save(vocabulary: Vocabulary): Promise<Vocabulary> {
  try {
    return await answered(api.PUT('/api/v1/vocabulary', { body: vocabulary }));
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'revision_conflict')
      throw new ProblemError({ code: error.code, status: error.status, detail: words.changed }, null);
    throw inWords(error, vocabulary, words);
  }
}
