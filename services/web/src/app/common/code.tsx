import { Button, type ButtonProps, Group, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { texts } from '../texts/index.ts';
import classes from './code.module.css';
import { CheckIcon, CopyIcon } from './icons.tsx';

/** A code block with a copy button. */
export function CodeBlock({
  code,
  label,
  copy,
  wrap = false,
}: {
  code: string;
  label: string;
  copy?: string;
  /** Wraps one long line. */
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

/** Copies a text and confirms it on the button. */
export function CopyButton({
  value,
  label = texts.common.copy,
  ...rest
}: { value: string; label?: string } & Omit<ButtonProps, 'children'>) {
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      {...rest}
      onClick={() => copy(value)}
    >
      <span aria-live="polite">{copied ? texts.common.copied : label}</span>
    </Button>
  );
}
