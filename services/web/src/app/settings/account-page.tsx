import type { AccountCosts, Spending as Spent } from '@call-analytics/contracts';
import { Button, Card, Group, SegmentedControl, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answered, api } from '../api/client.ts';
import { announceSessionChange } from '../api/connection.ts';
import { keys, queryClient } from '../api/queries.ts';
import { PasswordField } from '../auth/form.tsx';
import { useSession } from '../auth/session.tsx';
import { Confirm, FormDialog } from '../common/dialogs.tsx';
import { shownDay, shownMoment } from '../common/format.ts';
import { notify } from '../common/notices.tsx';
import { Loaded } from '../common/page.tsx';
import { costs as costWords, spending as spendingWords } from '../texts/en/on-demand.ts';
import { texts } from '../texts/index.ts';
import classes from './settings.module.css';
import { CardForm, Section } from './settings-page.tsx';

const { settings: words } = texts;

export function AccountPage() {
  const { account, role } = useSession();
  return (
    <Stack gap={40}>
      <Section title={words.accountTitle} lead={words.accountLead}>
        <Card>
          <dl className={classes.facts}>
            <dt>{words.accountName}</dt>
            <dd>{account.name}</dd>
            <dt>{words.accountId}</dt>
            <dd>
              <code>{account.id}</code>
            </dd>
            <dt>{words.accountSince}</dt>
            <dd>{shownDay(account.createdAt)}</dd>
          </dl>
        </Card>
      </Section>
      <Spending />
      {role === 'owner' ? <Delete /> : <Leave />}
    </Stack>
  );
}

function Delete() {
  const [isAsking, setAsking] = useState(false);
  return (
    <Danger title={words.deleteTitle} why={words.deleteWhy} action={words.delete} ask={() => setAsking(true)}>
      <DeleteAccount opened={isAsking} onClose={() => setAsking(false)} />
    </Danger>
  );
}

function Leave() {
  const { account, user } = useSession();
  const [isAsking, setAsking] = useState(false);
  const leave = async () => {
    await answered(api.DELETE('/app/members/{id}', { params: { path: { id: user.id } } }));
    announceSessionChange();
    location.assign('/sign-in');
  };
  return (
    <Danger title={words.leaveTitle} why={words.leaveWhy} action={words.leave} ask={() => setAsking(true)}>
      <Confirm
        opened={isAsking}
        title={words.leaveConfirm(account.name)}
        action={words.leave}
        act={leave}
        onClose={() => setAsking(false)}
      >
        {words.leaveWhy}
      </Confirm>
    </Danger>
  );
}

/** @param children the dialog that `ask` opens */
function Danger(props: { title: string; why: string; action: string; ask: () => void; children: ReactNode }) {
  return (
    <Section title={props.title}>
      <Card className={classes.danger}>
        <Stack align="flex-start">
          <Text size="sm">{props.why}</Text>
          <Button color="red" variant="light" onClick={props.ask}>
            {props.action}
          </Button>
        </Stack>
      </Card>
      {props.children}
    </Section>
  );
}

/** Asks for the account name against accidents, and for the password against others at the same desk. */
export function DeleteAccount({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { account, user } = useSession();
  const [accountName, setAccountName] = useState('');
  const [password, setPassword] = useState('');
  const deleting = useMutation({
    mutationFn: () => answered(api.DELETE('/app/account', { body: { accountName, password } })),
    onSuccess: () => {
      announceSessionChange();
      location.assign('/sign-in');
    },
  });
  const close = () => {
    onClose();
    setAccountName('');
    setPassword('');
    deleting.reset();
  };
  return (
    <FormDialog
      danger
      opened={opened}
      close={close}
      title={words.deleteConfirm(account.name)}
      submit={words.deleteForGood}
      disabled={accountName.trim() !== account.name}
      saving={deleting}
    >
      <Text size="sm">{words.deleteWhy}</Text>
      <input type="text" name="email" autoComplete="username" value={user.email} readOnly hidden />
      <TextInput
        label={words.typeName(account.name)}
        autoComplete="off"
        data-autofocus
        value={accountName}
        onChange={(event) => setAccountName(event.currentTarget.value)}
      />
      <PasswordField
        label={words.yourPassword}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  );
}

const { common } = texts;

const spendingQuery = queryOptions({
  queryKey: keys.spending,
  queryFn: ({ signal }) => answered(api.GET('/api/v1/spending', { signal })),
});

/** What the account has spent today, and its own limit. */
export function Spending() {
  const query = useQuery(spendingQuery);
  return (
    <Section title={spendingWords.title} lead={spendingWords.lead}>
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
      notify({ message: spendingWords.saved });
    },
    // After a change by another user, the next attempt has the revision of that change.
    onError: () => void queryClient.invalidateQueries({ queryKey: keys.spending }),
  });
  return (
    <CardForm submit={common.save} disabled={!isAmount || amount === stored} saving={saving}>
      <Text>
        {spendingWords.today(dollars)}
        {installationLimitPerDay !== null && ` ${spendingWords.installation(installationLimitPerDay)}`}
      </Text>
      {reachedAt !== null && <Text fw={550}>{spendingWords.reached(shownMoment(endsAt))}</Text>}
      {uncounted.length > 0 && (
        <Text fw={550} role="status">
          {spendingWords.uncounted([...new Set(uncounted)])}
        </Text>
      )}
      <TextInput
        label={spendingWords.own}
        description={spendingWords.ownHint}
        inputMode="decimal"
        value={text}
        error={isAmount ? undefined : spendingWords.notAnAmount}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </CardForm>
  );
}

type By = 'day' | 'month';
const MONTHS = 12;
const DAYS = 31;

/** What calls of the account have cost by month or day: UTC, as the limit of a day is. */
export function Costs() {
  const [by, setBy] = useState<By>('month');
  const query = useQuery(costsQuery(by));
  return (
    <Card mt="md">
      <Group justify="space-between" mb="sm">
        <Title order={3}>{costWords.title}</Title>
        <SegmentedControl
          size="xs"
          aria-label={costWords.by}
          value={by}
          data={[
            { value: 'month', label: costWords.byMonth(MONTHS) },
            { value: 'day', label: costWords.byDay(DAYS) },
          ]}
          onChange={(value) => setBy(value === 'day' ? 'day' : 'month')}
        />
      </Group>
      <Loaded of={query} heights={[120]}>
        {({ periods, total }) =>
          periods.length === 0 ? (
            <Text c="dimmed">{costWords.none}</Text>
          ) : (
            <>
              <Table aria-label={costWords.title}>
                <Table.Thead>
                  <Table.Tr>
                    {costWords.columns.map((column, index) => (
                      <Table.Th key={column} {...shownFrom(index)}>
                        {column}
                      </Table.Th>
                    ))}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {[...periods.toReversed(), { period: costWords.total, ...total }].map((row) => (
                    <Table.Tr key={row.period}>
                      <Table.Th scope="row">{row.period}</Table.Th>
                      {cellsOf(row).map((text, index) => (
                        <Table.Td key={costWords.columns[index + 1]} {...shownFrom(index + 1)}>
                          {text}
                        </Table.Td>
                      ))}
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              {total.unpriced > 0 && (
                <Text c="dimmed" mt="sm">
                  {costWords.unpriced(total.unpriced)}
                </Text>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

/** The stages apart have no room on a phone. */
function shownFrom(column: number) {
  return column === 3 || column === 4 ? ({ visibleFrom: 'sm' } as const) : {};
}

function cellsOf({ calls, seconds, transcription, analysis, dollars }: AccountCosts['total']): string[] {
  return [costWords.count(calls), costWords.hours(seconds), ...[transcription, analysis, dollars].map(costWords.money)];
}

function costsQuery(by: By) {
  const now = new Date();
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const first = by === 'month' ? Date.UTC(year, month - MONTHS + 1, 1) : Date.UTC(year, month, day - DAYS + 1);
  const [from = '', to = ''] = [new Date(first), now].map((date) => date.toISOString().slice(0, 10));
  return queryOptions({
    queryKey: [...keys.spending, 'costs', by, from, to],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/costs', { params: { query: { from, to, by } }, signal })),
  });
}
