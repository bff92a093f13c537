import { Anchor, Drawer, Menu, Modal, Stack, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useSyncExternalStore } from 'react';
import { announceSessionChange, signedOut } from '../api/connection.ts';
import { queryClient, sessionQuery } from '../api/queries.ts';
import { SignInForm } from '../auth/form.tsx';
import { signOut, useSession } from '../auth/session.tsx';
import { useOpening, type WithButton } from '../chunks/chunk.tsx';
import { MoonIcon, SignOutIcon, SunIcon, SystemIcon, UserIcon } from '../common/icons.tsx';
import { Note } from '../common/page.tsx';
import { texts } from '../texts/index.ts';

const { shell } = texts;

const SCHEMES = [
  { value: 'light', label: shell.light, Icon: SunIcon },
  { value: 'dark', label: shell.dark, Icon: MoonIcon },
  { value: 'auto', label: shell.system, Icon: SystemIcon },
] as const;

/** The menu of the user's button, loaded on demand. */
export function UserMenu({ compact, button }: { compact: boolean } & WithButton) {
  const { user } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leaving = useMutation({ mutationFn: signOut });
  const { target, ...opening } = useOpening({ button });
  return (
    <Menu position={compact ? 'bottom-end' : 'top-start'} width={232} {...opening} returnFocus>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item component={Link} to="/settings/profile" leftSection={<UserIcon size={18} />}>
          {shell.profile}
        </Menu.Item>
        <Menu.Item leftSection={<SignOutIcon size={18} />} onClick={() => leaving.mutate()}>
          {shell.signOut}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{shell.colorScheme}</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as typeof colorScheme)}>
          {SCHEMES.map(({ value, label, Icon }) => (
            <Menu.RadioItem key={value} value={value} closeMenuOnClick={false} rightSection={<Icon size={18} />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

/** A drawer for the navigation on narrow screens. */
export function PhoneMenu({ opened, close, children }: { opened: boolean; close(): void; children: ReactNode }) {
  return (
    <Drawer opened={opened} onClose={close} position="right" size={280} title={texts.shell.menu}>
      {children}
    </Drawer>
  );
}

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
        <Note>{words.againWhy}</Note>
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
