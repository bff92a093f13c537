import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** One subject of the settings. */
export function Section({
  title,
  lead,
  action,
  children,
}: {
  title: string;
  lead?: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <Group justify="space-between" align="flex-start" gap="md" mb="md" wrap="nowrap">
        <Stack gap={2}>
          <Title order={2}>{title}</Title>
          {lead !== undefined && (
            <Text c="dimmed" size="sm" maw={560}>
              {lead}
            </Text>
          )}
        </Stack>
        <Box flex="none">{action}</Box>
      </Group>
      {children}
    </section>
  );
}
