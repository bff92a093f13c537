import {
  ActionIcon,
  Alert,
  Avatar,
  Button,
  Center,
  Group,
  Skeleton,
  Stack,
  Text,
  UnstyledButton,
  type UnstyledButtonProps,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ErrorComponentProps, Link, Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useState, useSyncExternalStore } from 'react';
import { ProblemError, UnreachableError } from '../api/client.ts';
import { reachable, signedOut } from '../api/connection.ts';
import { followChanges, queryClient } from '../api/queries.ts';
import { useSession } from '../auth/session.tsx';
import { Uploads, uploads } from '../calls/upload/uploads.tsx';
import { lazyMenu, lazyPart, ReloadNeededError, reloadOnce, reloadPage } from '../chunks/chunk.tsx';
import { CallsIcon, DocsIcon, DownIcon, MenuIcon, OverviewIcon, SettingsIcon } from '../common/icons.tsx';
import { LogoMark } from '../common/logo.tsx';
import { Empty, Failed } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import { ConnectionBanner } from './banner.tsx';
import classes from './shell.module.css';

const UserMenu = lazyMenu(async () => (await import('./overlays.tsx')).UserMenu);
const PhoneMenu = lazyPart(async () => (await import('./overlays.tsx')).PhoneMenu);
const SignInAgain = lazyPart(async () => (await import('./overlays.tsx')).SignInAgain);

/** The frame around all pages of a signed-in user. It stays while pages change. */
export function Shell() {
  const [isMenuOpen, menu] = useDisclosure(false);
  const [wasMenuOpen, setMenuOpened] = useState(false);
  const isOver = useSyncExternalStore(signedOut.subscribe, signedOut.get);
  useEffect(() => followChanges(queryClient), []);
  const openMenu = () => {
    setMenuOpened(true);
    menu.open();
  };
  return (
    <>
      <a href="#content" className={classes.skip}>
        {texts.shell.skip}
      </a>
      <ConnectionBanner onBack={() => void queryClient.invalidateQueries()} />
      <div className={classes.frame}>
        <header className={classes.top}>
          <Link to="/calls" aria-label={texts.common.product} style={{ color: 'inherit', textDecoration: 'none' }}>
            <Logo />
          </Link>
          <Group gap={4}>
            <UserMenu compact button={<UserButton compact />} />
            <ActionIcon size={44} onClick={openMenu} aria-label={texts.shell.menu} aria-expanded={isMenuOpen}>
              <MenuIcon />
            </ActionIcon>
          </Group>
        </header>
        <aside className={classes.side}>
          <Link
            to="/calls"
            aria-label={texts.common.product}
            style={{ color: 'inherit', textDecoration: 'none', paddingInline: 8 }}
          >
            <Logo />
          </Link>
          <div style={{ flex: 1 }}>
            <Navigation />
          </div>
          <UserMenu compact={false} button={<UserButton />} />
        </aside>
        <main id="content" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      {wasMenuOpen && (
        <PhoneMenu opened={isMenuOpen} close={menu.close}>
          <Navigation onFollow={menu.close} />
        </PhoneMenu>
      )}
      <Uploads />
      {isOver && <SignInAgain />}
    </>
  );
}

function Logo() {
  return (
    <Group gap={10} wrap="nowrap">
      <LogoMark color="var(--mantine-primary-color-filled)" />
      <Text fw={650} fz="md" component="span">
        {texts.common.product}
      </Text>
    </Group>
  );
}

const { shell } = texts;

/** Each with the prefix of its addresses. */
const LINKS = [
  { to: '/calls', under: '/calls', label: shell.calls, Icon: CallsIcon },
  { to: '/overview', under: '/overview', label: shell.overview, Icon: OverviewIcon },
  { to: '/settings/keys', under: '/settings', label: shell.settings, Icon: SettingsIcon },
] as const;

function Navigation({ onFollow }: { onFollow?: () => void }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  return (
    <nav aria-label={shell.navigation}>
      <ul className={classes.links}>
        {LINKS.map(({ to, under, label, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={classes.link}
              aria-current={pathname === under || pathname.startsWith(`${under}/`) ? 'page' : undefined}
              {...(onFollow ? { onClick: onFollow } : {})}
            >
              <Icon />
              {label}
            </Link>
          </li>
        ))}
        <li>
          {/* A document of its own, beside the application: uploads in this tab go on. */}
          <a href="/docs" target="_blank" rel="noopener" className={classes.link}>
            <DocsIcon />
            {shell.docs}
          </a>
        </li>
      </ul>
    </nav>
  );
}

/** The user's button, with a menu for profile, colors and sign-out. */
function UserButton({
  compact = false,
  ...rest
}: { compact?: boolean } & UnstyledButtonProps & ComponentProps<'button'>) {
  const { user, account } = useSession();
  return (
    <UnstyledButton className={classes.user} w={compact ? 'auto' : undefined} aria-haspopup="menu" {...rest}>
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
          <DownIcon size={16} />
        </>
      )}
    </UnstyledButton>
  );
}

const { common } = texts;

/** Shown for a page that threw an error or could not be loaded. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  const isOfServer = error instanceof UnreachableError || error instanceof ProblemError;
  return (
    <Center mih="60vh" p="lg">
      <Stack maw={480} w="100%">
        <title>{common.product}</title>
        {error instanceof ReloadNeededError ? (
          <ReloadNeeded />
        ) : isOfServer ? (
          <Failed error={error} retry={again} />
        ) : (
          <Failed error={error} title={common.somethingBroke} retry={reloadPage} />
        )}
      </Stack>
    </Center>
  );
}

/** A deployment replaced this version: reloads automatically, unless that would abort uploads. */
function ReloadNeeded() {
  const isUploading = useSyncExternalStore(uploads.subscribe, () => uploads.unfinished());
  useEffect(() => {
    if (!isUploading) reloadOnce();
  }, [isUploading]);
  return (
    <Alert color="ink" variant="light" title={common.newVersion} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{isUploading ? common.newVersionUploads : common.newVersionWhy}</Text>
        <Button size="xs" variant="default" onClick={reloadPage}>
          {common.reload}
        </Button>
      </Stack>
    </Alert>
  );
}

export function NotFound() {
  return (
    <Center mih="60vh">
      <title>{common.notFound}</title>
      <Empty title={common.notFound} isPage>
        <Text c="dimmed">{common.notFoundWhy}</Text>
        <Button renderRoot={(props) => <Link to="/calls" {...props} />}>{common.toCalls}</Button>
      </Empty>
    </Center>
  );
}

/** A placeholder while a page loads. The navigation stays usable. */
export function PagePending() {
  const isReachable = useSyncExternalStore(reachable.subscribe, reachable.get);
  return (
    <Stack gap="md" className={classes.pending} role="status" aria-label={texts.common.loading}>
      {!isReachable && <Text>{texts.common.pageWaits}</Text>}
      <Skeleton height={40} width={260} radius="md" />
      <Skeleton height={110} radius="lg" />
      <Skeleton height={240} radius="lg" />
    </Stack>
  );
}
