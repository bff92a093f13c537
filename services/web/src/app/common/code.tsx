import { Group, Text } from '@mantine/core';
import classes from './code.module.css';
import { CopyButton } from './copy.tsx';

/** Lines to paste, with a button that copies them. */
export function CodeBlock({
  code,
  label,
  copy,
  wrap = false,
}: {
  code: string;
  label: string;
  copy?: string;
  /** For what is one line, however long. */
  wrap?: boolean;
}) {
  return (
    <figure className={classes.block}>
      <Group component="figcaption" justify="space-between" wrap="nowrap" className={classes.caption}>
        <Text component="span" size="xs" c="dimmed">
          {label}
        </Text>
        <CopyButton value={code} size="compact-xs" {...(copy === undefined ? {} : { label: copy })} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <section className={classes.code} tabIndex={0} aria-label={label}>
        <pre data-wrap={wrap || undefined}>
          <code>{code}</code>
        </pre>
      </section>
    </figure>
  );
}
