import { Box, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConnectionBanner } from '../shell/banner.tsx';
import { Logo } from '../shell/logo.tsx';
import classes from '../shell/shell.module.css';
import { texts } from '../texts/texts.ts';

/** The frame of the pages that nobody needs to be signed in for. */
export function Outside({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <>
      <ConnectionBanner />
      <main className={classes.outside}>
        <title>{`${title} · ${texts.common.product}`}</title>
        <Logo />
        <Box className={classes.outsideCard}>
          <Stack gap={6} mb="lg">
            <Title order={1} tabIndex={-1}>
              {title}
            </Title>
            {lead !== undefined && (
              <Text c="dimmed" size="sm">
                {lead}
              </Text>
            )}
          </Stack>
          {children}
        </Box>
      </main>
    </>
  );
}
