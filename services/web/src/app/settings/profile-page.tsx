import { Button, Card, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { keys, queryClient, sessionQuery } from '../api/queries.ts';
import { PASSWORD_LENGTH } from '../auth/form.tsx';
import { useSession } from '../auth/session.tsx';
import { useDraft } from '../chunks/drafts.ts';
import { notify } from '../common/notices.tsx';
import { FormError } from '../common/page.tsx';
import { texts } from '../texts/texts.ts';
import { Section } from './settings-page.tsx';

const { settings: words, common } = texts;

export function ProfilePage() {
  return (
    <Stack gap={40}>
      <Profile />
      <Password />
    </Stack>
  );
}

function Profile() {
  const { user } = useSession();
  const [name, setName, forgetDraft] = useDraft(`${user.id} name`, user.name);
  const rename = useMutation({
    mutationFn: () => answered(api.PATCH('/app/profile', { body: { name } })),
    onSuccess: (session) => {
      forgetDraft();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      void queryClient.invalidateQueries({ queryKey: keys.members });
      notify({ message: words.nameChanged });
    },
  });
  return (
    <Section title={words.profileTitle} lead={words.profileLead}>
      <Card>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            rename.mutate();
          }}
        >
          <Stack maw={440}>
            <TextInput
              label={words.name}
              name="name"
              autoComplete="name"
              maxLength={200}
              required
              withAsterisk={false}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextInput label={words.email} description={words.emailHint} value={user.email} readOnly variant="filled" />
            <FormError error={rename.error} />
            <Group>
              <Button type="submit" disabled={name.trim() === user.name} loading={rename.isPending}>
                {common.save}
              </Button>
            </Group>
          </Stack>
        </form>
      </Card>
    </Section>
  );
}

function Password() {
  const { user } = useSession();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useMutation({
    mutationFn: () => answered(api.PUT('/app/password', { body: { currentPassword, newPassword } })),
    onSuccess: () => {
      setCurrent('');
      setNew('');
      notify({ message: words.passwordChanged });
    },
  });
  return (
    <Section title={words.passwordTitle} lead={words.passwordLead}>
      <Card>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate();
          }}
        >
          <Stack maw={440}>
            {/* Tells password managers whose password this is. */}
            <input type="text" name="email" autoComplete="username" value={user.email} readOnly hidden />
            <PasswordInput
              label={words.currentPassword}
              name="password"
              autoComplete="current-password"
              required
              withAsterisk={false}
              value={currentPassword}
              onChange={(event) => setCurrent(event.currentTarget.value)}
            />
            <NewPasswordInput label={words.newPassword} value={newPassword} onChange={setNew} />
            <FormError error={change.error} />
            <Group>
              <Button type="submit" loading={change.isPending}>
                {words.changePassword}
              </Button>
            </Group>
          </Stack>
        </form>
      </Card>
    </Section>
  );
}

/** For a new password. Browsers offer to generate one, and refuse one that is too short before it is sent. */
function NewPasswordInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <PasswordInput
      label={label}
      description={texts.session.passwordRule(PASSWORD_LENGTH.min)}
      name="new-password"
      autoComplete="new-password"
      minLength={PASSWORD_LENGTH.min}
      maxLength={PASSWORD_LENGTH.max}
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
