import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../../api/client.ts';
import { FormError } from '../../common/failed.tsx';
import { tellOtherTabs } from '../../session/other-tabs.ts';
import { useSession } from '../../session/use-session.ts';
import { texts } from '../../texts/texts.ts';

const { settings: words, common } = texts;

/** Asks for the name and the password, so that nobody does it by accident or at somebody else's desk. */
export function DeleteAccount({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { account, user } = useSession();
  const [accountName, setAccountName] = useState('');
  const [password, setPassword] = useState('');
  const deleting = useMutation({
    mutationFn: () => answered(api.DELETE('/app/account', { body: { accountName, password } })),
    onSuccess: () => {
      tellOtherTabs();
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
    <Modal opened={opened} onClose={close} title={words.deleteConfirm(account.name)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          deleting.mutate();
        }}
      >
        <Stack>
          <Text size="sm">{words.deleteWhy}</Text>
          <input type="text" name="email" autoComplete="username" value={user.email} readOnly hidden />
          <TextInput
            label={words.typeName(account.name)}
            autoComplete="off"
            data-autofocus
            value={accountName}
            onChange={(event) => setAccountName(event.currentTarget.value)}
          />
          <PasswordInput
            label={words.yourPassword}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <FormError error={deleting.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {common.cancel}
            </Button>
            <Button
              type="submit"
              color="red"
              disabled={accountName.trim() !== account.name}
              loading={deleting.isPending}
            >
              {words.deleteForGood}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
