import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronIcon, MoonIcon, SignOutIcon, SunIcon, SystemIcon, UserIcon } from '../common/icons.tsx';
import { signOut } from '../session/sign-out.ts';
import { useSession } from '../session/use-session.ts';
import { texts } from '../texts/texts.ts';
import classes from './shell.module.css';

const { shell } = texts;

const SCHEMES = [
  { value: 'light', label: shell.light, Icon: SunIcon },
  { value: 'dark', label: shell.dark, Icon: MoonIcon },
  { value: 'auto', label: shell.system, Icon: SystemIcon },
] as const;

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
