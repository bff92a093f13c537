import { Anchor, Modal, Stack, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { signedOut } from '../api/connection.ts';
import { queryClient, sessionQuery } from '../api/queries.ts';
import { texts } from '../texts/index.ts';
import { announceSessionChange } from './enter.ts';
import { useSession } from './session.tsx';
import { SignInForm } from './sign-in.tsx';

const { session: words } = texts;

/** A dialog over a page whose session ended. Its requests wait and continue after the sign-in. */
export function SignInAgain() {
  const isOver = useSyncExternalStore(signedOut.subscribe, signedOut.get);
  const { user } = useSession();
  return (
    <Modal
      opened={isOver}
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={words.again}
      zIndex={400}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {words.againWhy}
        </Text>
        <SignInForm
          email={user.email}
          onSignedIn={(session) => {
            queryClient.setQueryData(sessionQuery.queryKey, session);
            announceSessionChange();
            signedOut.set(false);
            void queryClient.invalidateQueries();
          }}
        />
        <Anchor href="/sign-in" size="sm" ta="center">
          {words.leave}
        </Anchor>
      </Stack>
    </Modal>
  );
}
