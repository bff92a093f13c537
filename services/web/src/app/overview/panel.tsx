import { Card, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';
import classes from './overview.module.css';

interface PanelProps {
  title: string;
  note?: string;
  /** Over the whole width. */
  wide?: boolean;
  /** The numbers of a drawing, for whoever would rather read them, or cannot see it. */
  table?: ReactNode;
  isEmpty?: boolean;
  empty?: string;
  children: ReactNode;
}

export function Panel({ title, note, wide = false, table, isEmpty = false, empty, children }: PanelProps) {
  return (
    <Card component="section" className={classes.panel} data-wide={wide || undefined}>
      <Title order={2}>{title}</Title>
      {note !== undefined && !isEmpty && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
      <div className={classes.panelBody}>{isEmpty ? <Text c="dimmed">{empty}</Text> : children}</div>
      {table !== undefined && !isEmpty && (
        <details className={classes.details}>
          <summary>{texts.overview.asTable}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
          <section className={classes.tableFrame} tabIndex={0} aria-label={title}>
            {table}
          </section>
        </details>
      )}
    </Card>
  );
}
