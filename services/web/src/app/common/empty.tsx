import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** In the place of what is not there yet: says what to do next. */
export function Empty({
  icon,
  title,
  isPage = false,
  children,
}: {
  icon?: ReactNode;
  title: string;
  /** Whether there is nothing else on the page. */
  isPage?: boolean;
  children?: ReactNode;
}) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="sm" maw={440} ta="center">
        {icon}
        <Title order={isPage ? 1 : 2} tabIndex={isPage ? -1 : undefined}>
          {title}
        </Title>
        {typeof children === 'string' ? <Text c="dimmed">{children}</Text> : children}
      </Stack>
    </Center>
  );
}
