import { Avatar, Menu, SegmentedControl, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronIcon, SignOutIcon, UserIcon } from '../common/icons.tsx';
import { signOut } from '../session/sign-out.ts';
import { useSession } from '../session/use-session.ts';
import { texts } from '../texts/texts.ts';
import classes from './shell.module.css';

const { shell } = texts;

/** Whose account this is, and what belongs to the person: profile, colours, signing out. */
export function UserMenu({ compact = false }: { compact?: boolean }) {
  const { user, account } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leaving = useMutation({ mutationFn: signOut });
  return (
    <Menu position={compact ? 'bottom-end' : 'top-start'} width={232}>
      <Menu.Target>
        <UnstyledButton className={classes.user} w={compact ? 'auto' : undefined}>
          <Avatar size={34} radius="md" color="ink" name={user.name} aria-hidden />
          {compact && <VisuallyHidden>{shell.account}</VisuallyHidden>}
          {!compact && (
            <>
              <span className={classes.userNames}>
                <Text size="sm" fw={550} truncate>
                  {user.name}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {account.name}
                </Text>
              </span>
              <ChevronIcon size={16} />
            </>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item component={Link} to="/settings/profile" leftSection={<UserIcon size={18} />}>
          {shell.profile}
        </Menu.Item>
        <Menu.Item leftSection={<SignOutIcon size={18} />} onClick={() => leaving.mutate()}>
          {shell.signOut}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{shell.colourScheme}</Menu.Label>
        <SegmentedControl
          fullWidth
          size="xs"
          m={4}
          aria-label={shell.colourScheme}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
          data={[
            { value: 'light', label: shell.light },
            { value: 'dark', label: shell.dark },
            { value: 'auto', label: shell.system },
          ]}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
