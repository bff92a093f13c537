import { Avatar, Text, UnstyledButton, type UnstyledButtonProps, VisuallyHidden } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { lazyPart } from '../chunks/chunk.tsx';
import { ChevronIcon } from '../common/icons.tsx';
import { useSession } from '../session/use-session.ts';
import { texts } from '../texts/texts.ts';
import classes from './shell.module.css';

/** Loaded when it is opened for the first time. */
const WideMenu = lazyPart(async () => (await import('./user-menu-items.tsx')).UserMenuItems, {
  instead: <UserButton />,
  isOptional: true,
});
const CompactMenu = lazyPart(async () => (await import('./user-menu-items.tsx')).UserMenuItems, {
  instead: <UserButton compact />,
  isOptional: true,
});

/** The account, and what belongs to the user: profile, theme, signing out. */
export function UserMenu({ compact = false }: { compact?: boolean }) {
  const [isWanted, setWanted] = useState(false);
  if (!isWanted)
    return <UserButton compact={compact} aria-haspopup="menu" aria-expanded={false} onClick={() => setWanted(true)} />;
  return compact ? <CompactMenu compact /> : <WideMenu />;
}

export function UserButton({
  compact = false,
  ...rest
}: { compact?: boolean } & UnstyledButtonProps & ComponentProps<'button'>) {
  const { user, account } = useSession();
  return (
    <UnstyledButton className={classes.user} w={compact ? 'auto' : undefined} {...rest}>
      <Avatar size={34} radius="md" color="ink" name={user.name} aria-hidden />
      {compact && <VisuallyHidden>{texts.shell.account}</VisuallyHidden>}
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
  );
}
