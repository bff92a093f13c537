import type { Vocabulary } from '@call-analytics/contracts';
import { Anchor, Skeleton, Textarea } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api, ProblemError } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { useSession } from '../auth/session.tsx';
import { useDraft } from '../chunks/drafts.ts';
import { notify } from '../common/notices.tsx';
import { Failed } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import { CardForm, linesOf, Section } from './settings-page.tsx';

const { common } = texts;
const words = texts.settings.vocabulary;

const vocabularyQuery = queryOptions({
  queryKey: keys.vocabulary,
  queryFn: ({ signal }) => answered(api.GET('/api/v1/vocabulary', { signal })),
});

export function VocabularyPage() {
  const { data, error, refetch } = useQuery(vocabularyQuery);
  return (
    <Section title={words.title} lead={words.lead}>
      {data !== undefined ? (
        <Editor loaded={data} />
      ) : error !== null ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton h={320} radius="lg" />
      )}
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
    mutationFn: () => answered(api.PUT('/api/v1/vocabulary', { body: { revision, terms: lines } })),
    onSuccess: (saved) => {
      show(saved);
      notify({ message: words.saved });
    },
  });
  const loading = useMutation({
    mutationFn: () => answered(api.GET('/api/v1/vocabulary')),
    onSuccess: show,
  });
  const error = saving.error instanceof ProblemError ? inWords(saving.error, lines) : saving.error;
  return (
    <CardForm
      wide
      submit={common.save}
      disabled={lines.join('\n') === terms.join('\n')}
      saving={{ mutate: saving.mutate, isPending: saving.isPending, error: loading.error ?? error }}
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
      {error instanceof ProblemError && error.code === 'revision_conflict' && (
        <Anchor component="button" type="button" size="sm" w="fit-content" onClick={() => loading.mutate()}>
          {words.load}
        </Anchor>
      )}
    </CardForm>
  );
}

/** Names the term instead of its place. */
function inWords(error: ProblemError, lines: readonly string[]): ProblemError {
  const { code, status } = error;
  if (code === 'revision_conflict') return new ProblemError({ code, status, detail: words.changed }, null);
  const [, at, rule] = /^"terms(?:\.(\d+))?" (.*)$/s.exec(error.message) ?? [];
  if (rule === undefined) return error;
  const what = at === undefined ? words.title : `“${lines[Number(at)]}”`;
  return new ProblemError({ code, status, detail: `${what} ${rule}` }, null);
}
