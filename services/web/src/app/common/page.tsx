import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import classes from './page.module.css';

/** Everything between the edges of a page: its title (also that of the document), what to do with it, and its content. */
export function Page({
  title,
  above,
  lead,
  actions,
  narrow = false,
  children,
}: {
  title: string;
  /** The way back to where the page belongs. */
  above?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** For reading and for forms. */
  narrow?: boolean;
  children: ReactNode;
}) {
  return (
    <Box className={classes.page} data-narrow={narrow || undefined}>
      <title>{`${title} · ${texts.common.product}`}</title>
      {above}
      <Group justify="space-between" align="flex-start" gap="md" mb="lg">
        <Stack gap={4}>
          <Title order={1} tabIndex={-1} className={classes.title}>
            {title}
          </Title>
          {lead !== undefined && <Text c="dimmed">{lead}</Text>}
        </Stack>
        {actions}
      </Group>
      {children}
    </Box>
  );
}
