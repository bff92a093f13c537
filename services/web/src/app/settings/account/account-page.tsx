import { Button, Card, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answered, api } from '../../api/client.ts';
import { Confirm } from '../../common/confirm.tsx';
import { shownDay } from '../../common/dates.ts';
import { tellOtherTabs } from '../../session/other-tabs.ts';
import { useSession } from '../../session/use-session.ts';
import { texts } from '../../texts/texts.ts';
import { Section } from '../section.tsx';
import classes from './account.module.css';
import { DeleteAccount } from './delete-account.tsx';

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
      {role === 'owner' ? <Delete /> : <Leave />}
    </Stack>
  );
}

function Delete() {
  const [isAsking, setAsking] = useState(false);
  return (
    <Section title={words.deleteTitle}>
      <Card className={classes.danger}>
        <Stack align="flex-start">
          <Text size="sm">{words.deleteWhy}</Text>
          <Button color="red" variant="light" onClick={() => setAsking(true)}>
            {words.delete}
          </Button>
        </Stack>
      </Card>
      <DeleteAccount opened={isAsking} onClose={() => setAsking(false)} />
    </Section>
  );
}

function Leave() {
  const { account, user } = useSession();
  const [isAsking, setAsking] = useState(false);
  const leave = async () => {
    await answered(api.DELETE('/app/members/{id}', { params: { path: { id: user.id } } }));
    tellOtherTabs();
    location.assign('/sign-in');
  };
  return (
    <Section title={words.leaveTitle}>
      <Card className={classes.danger}>
        <Stack align="flex-start">
          <Text size="sm">{words.leaveWhy}</Text>
          <Button color="red" variant="light" onClick={() => setAsking(true)}>
            {words.leave}
          </Button>
        </Stack>
      </Card>
      <Confirm
        opened={isAsking}
        title={words.leaveConfirm(account.name)}
        action={words.leave}
        act={leave}
        onClose={() => setAsking(false)}
      >
        {words.leaveWhy}
      </Confirm>
    </Section>
  );
}
