import { Button, Card, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answered, api } from '../api/client.ts';
import { announceSessionChange } from '../auth/enter.ts';
import { PasswordField } from '../auth/form.tsx';
import { useSession } from '../auth/session.tsx';
import { Confirm, FormDialog } from '../common/dialogs.tsx';
import { shownDay } from '../common/format.ts';
import { texts } from '../texts/index.ts';
import classes from './settings.module.css';
import { Section } from './settings-page.tsx';
import { Spending } from './spending.tsx';

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
