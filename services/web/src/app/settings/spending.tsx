import type { Spending as Spent } from '@call-analytics/contracts';
import { Text, TextInput } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { shownMoment } from '../common/format.ts';
import { notify } from '../common/notices.tsx';
import { Loaded } from '../common/page.tsx';
import { spending as words } from '../texts/en/spending.ts';
import { texts } from '../texts/index.ts';
import { Costs } from './costs.tsx';
import { CardForm, Section } from './settings-page.tsx';

const { common } = texts;

const spendingQuery = queryOptions({
  queryKey: keys.spending,
  queryFn: ({ signal }) => answered(api.GET('/api/v1/spending', { signal })),
});

/** What the account has spent today, and its own limit. */
export function Spending() {
  const query = useQuery(spendingQuery);
  return (
    <Section title={words.title} lead={words.lead}>
      <Loaded of={query} heights={[200]}>
        {(spent) => <Limit spent={spent} />}
      </Loaded>
      <Costs />
    </Section>
  );
}

function Limit({ spent }: { spent: Spent }) {
  const { revision, limitPerDay, installationLimitPerDay, dollars, reachedAt, endsAt, uncounted } = spent;
  const stored = limitPerDay === null ? '' : String(limitPerDay);
  const [text, setText] = useState(stored);
  const amount = text.trim().replace(',', '.');
  const isAmount = amount === '' || (/^\d+(\.\d+)?$/.test(amount) && Number(amount) > 0);
  const saving = useMutation({
    mutationFn: () =>
      answered(api.PUT('/api/v1/spending', { body: { revision, limitPerDay: amount === '' ? null : Number(amount) } })),
    onSuccess: (saved) => {
      queryClient.setQueryData(spendingQuery.queryKey, saved);
      notify({ message: words.saved });
    },
    // After the change of somebody else, the next attempt has the revision of that change.
    onError: () => void queryClient.invalidateQueries({ queryKey: keys.spending }),
  });
  return (
    <CardForm submit={common.save} disabled={!isAmount || amount === stored} saving={saving}>
      <Text>
        {words.today(dollars)}
        {installationLimitPerDay !== null && ` ${words.installation(installationLimitPerDay)}`}
      </Text>
      {reachedAt !== null && <Text fw={550}>{words.reached(shownMoment(endsAt))}</Text>}
      {uncounted.length > 0 && (
        <Text fw={550} role="status">
          {words.uncounted([...new Set(uncounted)])}
        </Text>
      )}
      <TextInput
        label={words.own}
        description={words.ownHint}
        inputMode="decimal"
        value={text}
        error={isAmount ? undefined : words.notAnAmount}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </CardForm>
  );
}
