import { ActionIcon, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { followChanges } from '../api/live.ts';
import { queryClient } from '../api/queries.ts';
import { signedOut } from '../api/signed-out.ts';
import { Uploads } from '../calls/uploads.tsx';
import { lazyPart } from '../chunks/chunk.tsx';
import { MenuIcon } from '../common/icons.tsx';
import { texts } from '../texts/texts.ts';
import { ConnectionBanner } from './banner.tsx';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

const PhoneMenu = lazyPart(async () => (await import('./phone-menu.tsx')).PhoneMenu);
const SignInAgain = lazyPart(async () => (await import('../session/sign-in-again.tsx')).SignInAgain);

/** What stays while pages come and go, for whoever is signed in. */
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
            <UserMenu compact />
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
          <UserMenu />
        </aside>
        <main id="content" className={classes.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      {wasMenuOpen && <PhoneMenu opened={isMenuOpen} close={menu.close} />}
      <Uploads />
      {isOver && <SignInAgain />}
    </>
  );
}
