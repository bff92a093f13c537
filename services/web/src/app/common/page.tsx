import { Alert, Box, Button, type ButtonProps, Center, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ComponentProps, ReactNode } from 'react';
import { errorText, isTransient, ProblemError } from '../api/client.ts';
import { texts } from '../texts/index.ts';
import classes from './common.module.css';
import { AlertIcon, CheckIcon, CopyIcon } from './icons.tsx';

interface PageProps {
  title: string;
  /** A link back to the parent page. */
  above?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** For reading and for forms. */
  narrow?: boolean;
  children: ReactNode;
}

/** The frame of a page: its title, which is also the title of the document, its actions and its content. */
export function Page({ title, above, lead, actions, narrow = false, children }: PageProps) {
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

interface EmptyProps {
  icon?: ReactNode;
  title: string;
  /** Whether the page shows nothing else. */
  isPage?: boolean;
  children?: ReactNode;
}

/** An empty state: says what to do next. */
export function Empty({ icon, title, isPage = false, children }: EmptyProps) {
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

/** Small text that explains, and does not stand out. */
export function Note(props: ComponentProps<typeof Text<'p'>>) {
  return <Text size="sm" c="dimmed" {...props} />;
}

const { common } = texts;

interface FailedProps {
  error: unknown;
  retry?: () => void;
  title?: string;
}

/** Shown for content that could not be loaded. */
export function Failed({ error, retry, title = common.failed }: FailedProps) {
  return (
    <Alert icon={<AlertIcon />} title={title} color="red" variant="light" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{errorText(error)}</Text>
        {error instanceof ProblemError && error.requestId !== null && !isTransient(error) && (
          <Text size="xs" c="dimmed">
            {common.requestId(error.requestId)}
          </Text>
        )}
        {retry !== undefined && (
          <Button size="xs" variant="default" onClick={retry}>
            {common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

interface LoadedProps<T> {
  of: { data: T | undefined; error: Error | null; refetch: () => unknown };
  heights?: readonly number[];
  children: (data: T) => ReactNode;
}

/**
 * What a query has loaded; before that a placeholder, or why it could not be loaded.
 * @param heights of the parts of the placeholder, in pixels
 */
export function Loaded<T>({ of: { data, error, refetch }, heights = [160], children }: LoadedProps<T>) {
  if (data !== undefined) return children(data);
  if (error !== null) return <Failed error={error} retry={() => void refetch()} />;
  return (
    <Stack gap="md" role="status" aria-label={common.loading}>
      {heights.map((height, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they keep their places
        <Skeleton key={at} height={height} radius="lg" />
      ))}
    </Stack>
  );
}

/** Names the query parameters that were ignored. */
export function IgnoredNotice({ ignored }: { ignored: readonly string[] }) {
  if (ignored.length === 0) return null;
  return (
    <Alert color="ink" variant="light" role="status" mb="md" style={{ overflowWrap: 'anywhere' }}>
      {texts.calls.ignored(ignored)}
    </Alert>
  );
}

interface CodeBlockProps {
  code: string;
  label: string;
  copy?: string;
  /** Wraps one long line. */
  wrap?: boolean;
}

/** A code block with a copy button. */
export function CodeBlock({ code, label, copy, wrap = false }: CodeBlockProps) {
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
