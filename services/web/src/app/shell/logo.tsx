import { Group, Text } from '@mantine/core';
import { texts } from '../texts/texts.ts';

export function Logo() {
  return (
    <Group gap={10} wrap="nowrap">
      <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="var(--mantine-primary-color-filled)" />
        <path
          d="M8 19v-6m5.3 10V9m5.4 11v-8M24 17.5v-3"
          stroke="#fff"
          strokeWidth="2.6"
          strokeLinecap="round"
          fill="none"
        />
      </svg>
      <Text fw={650} fz="md" component="span">
        {texts.common.product}
      </Text>
    </Group>
  );
}
