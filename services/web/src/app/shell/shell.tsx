import { ActionIcon, Drawer, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followChanges } from '../api/live.ts';
import { queryClient } from '../api/queries.ts';
import { Uploads } from '../calls/uploads.tsx';
import { MenuIcon } from '../common/icons.tsx';
import { SignInAgain } from '../session/sign-in-again.tsx';
import { texts } from '../texts/texts.ts';
import { ConnectionBanner } from './banner.tsx';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

/** What stays while pages come and go, for whoever is signed in. */
export function Shell() {
  const [isMenuOpen, menu] = useDisclosure(false);
  useEffect(() => followChanges(queryClient), []);
  return (
    <>
      <a href="#content" className={classes.skip}>
        {texts.shell.skip}
      </a>
      <ConnectionBanner />
      <div className={classes.frame}>
        <header className={classes.top}>
          <Link to="/calls" aria-label={texts.common.product} style={{ color: 'inherit', textDecoration: 'none' }}>
            <Logo />
          </Link>
          <Group gap={4}>
            <UserMenu compact />
            <ActionIcon size={44} onClick={menu.open} aria-label={texts.shell.menu} aria-expanded={isMenuOpen}>
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
      <Drawer opened={isMenuOpen} onClose={menu.close} position="right" size={280} title={texts.shell.menu}>
        <Navigation onFollow={menu.close} />
      </Drawer>
      <Uploads />
      <SignInAgain />
    </>
  );
}
