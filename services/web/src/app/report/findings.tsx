import { Badge, Card, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './report.module.css';

/** A list of what was found; nothing when nothing was. */
export function Findings({ icon, title, points }: { icon: ReactNode; title: string; points: readonly string[] }) {
  if (points.length === 0) return null;
  return (
    <Card component="section">
      <Group gap={10} mb="sm" className={classes.findingsHead}>
        {icon}
        <Title order={2}>{title}</Title>
        <Badge color="gray" circle={points.length < 10} size="lg" aria-hidden="true">
          {points.length}
        </Badge>
      </Group>
      <ul className={classes.points}>
        {points.map((point, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two findings may be the same, and they never change places.
          <li key={index}>{point}</li>
        ))}
      </ul>
    </Card>
  );
}
