import { Card, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './row.module.css';

/** A list of things with a name, a few facts and what can be done with each. Reads well at every width, where a table would not. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Card p={0}>
      <ul className={classes.rows} aria-label={label}>
        {children}
      </ul>
    </Card>
  );
}

export function Row({
  before,
  title,
  facts,
  actions,
}: {
  before?: ReactNode;
  title: ReactNode;
  facts: ReactNode[];
  actions?: ReactNode;
}) {
  return (
    <li className={classes.row}>
      {before}
      <div className={classes.text}>
        <Text component="div" fw={550}>
          {title}
        </Text>
        <Group component="span" gap="4px 16px">
          {facts.map((fact, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the facts of a row keep their places
            <Text key={at} component="span" size="sm" c="dimmed">
              {fact}
            </Text>
          ))}
        </Group>
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </li>
  );
}
