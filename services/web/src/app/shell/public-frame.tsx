import { Button, Group } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import { texts } from '../texts/texts.ts';
import { ConnectionBanner } from './banner.tsx';
import { Logo } from './logo.tsx';
import classes from './shell.module.css';

/** Around pages that everybody may read, for whoever is not signed in. */
export function PublicFrame() {
  return (
    <>
      <a href="#content" className={classes.skip}>
        {texts.shell.skip}
      </a>
      <ConnectionBanner />
      <Group component="header" justify="space-between" className={classes.publicTop}>
        <Logo />
        <Button variant="default" size="xs" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {texts.docs.signIn}
        </Button>
      </Group>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}
