import { Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { keys, queryClient, sessionQuery } from '../api/queries.ts';
import { NewPasswordField, PasswordField } from '../auth/form.tsx';
import { useSession } from '../auth/session.tsx';
import { useDraft } from '../chunks/chunk.tsx';
import { notify } from '../common/notices.tsx';
import { texts } from '../texts/index.ts';
import { CardForm, Section } from './settings-page.tsx';

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
      <CardForm submit={common.save} disabled={name.trim() === user.name} saving={rename}>
        <TextInput
          label={words.name}
          name="name"
          autoComplete="name"
          maxLength={200}
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput label={words.email} description={words.emailHint} value={user.email} readOnly variant="filled" />
      </CardForm>
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
      <CardForm submit={words.changePassword} saving={change}>
        {/* Tells password managers whose password this is. */}
        <input type="text" name="email" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField
          label={words.currentPassword}
          name="password"
          autoComplete="current-password"
          value={currentPassword}
          onChange={setCurrent}
        />
        <NewPasswordField label={words.newPassword} value={newPassword} onChange={setNew} />
      </CardForm>
    </Section>
  );
}
