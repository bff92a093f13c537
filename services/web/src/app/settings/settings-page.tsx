import { Box, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { queryOptions } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answered, api, ProblemError } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { FormError, type Saving } from '../common/dialogs.tsx';
import { PlusIcon } from '../common/icons.tsx';
import { Page } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import classes from './settings.module.css';

const { settings: words } = texts;

const SECTIONS = [
  { to: '/settings/keys', label: words.keys },
  { to: '/settings/scorecard', label: words.scorecard },
  { to: '/settings/trackers', label: words.trackers.title },
  { to: '/settings/vocabulary', label: words.vocabulary.title },
  { to: '/settings/members', label: words.members },
  { to: '/settings/profile', label: words.profile },
  { to: '/settings/account', label: words.account },
] as const;

export const apiKeysQuery = queryOptions({
  queryKey: keys.apiKeys,
  queryFn: ({ signal }) => answered(api.GET('/app/keys', { signal })),
});

export const membersQuery = queryOptions({
  queryKey: keys.members,
  queryFn: ({ signal }) => answered(api.GET('/app/members', { signal })),
});

/** The frame of the settings, with a tab for each section at its own address. */
export function SettingsPage() {
  return (
    <Page title={words.title} narrow>
      <nav aria-label={words.sections} className={classes.sections}>
        {SECTIONS.map(({ to, label }) => (
          <Link key={to} to={to} className={classes.section}>
            {label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </Page>
  );
}

interface SectionProps {
  title: string;
  lead?: string;
  action?: ReactNode;
  children: ReactNode;
}

/** A section of the settings. */
export function Section({ title, lead, action, children }: SectionProps) {
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

interface CardFormProps {
  submit: string;
  disabled?: boolean;
  wide?: boolean;
  saving: Saving;
  children: ReactNode;
}

/** A form on a card. @param wide for long text */
export function CardForm({ submit, disabled = false, wide = false, saving, children }: CardFormProps) {
  return (
    <Card>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <Stack maw={wide ? undefined : 440}>
          {children}
          <FormError error={saving.error} />
          <Group>
            <Button type="submit" disabled={disabled} loading={saving.isPending}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

/** A list of items with a name, facts and actions. Unlike a table it fits every width. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Card p={0}>
      <ul className={classes.rows} aria-label={label}>
        {children}
      </ul>
    </Card>
  );
}

interface RowProps {
  before?: ReactNode;
  title: ReactNode;
  facts: ReactNode[];
  actions?: ReactNode;
}

export function Row({ before, title, facts, actions }: RowProps) {
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

interface RowActionProps {
  label: string;
  of?: string;
  loading?: boolean;
  onClick: () => void;
}

/** An action on a row. @param of its name for screen readers, with that of the row */
export function RowAction({ label, of, loading = false, onClick }: RowActionProps) {
  return (
    <Button size="xs" variant="default" aria-label={of} loading={loading} onClick={onClick}>
      {label}
    </Button>
  );
}

/** A button that opens the form of a new entry. */
export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button leftSection={<PlusIcon size={16} />} onClick={onClick}>
      {label}
    </Button>
  );
}

/** The entries of a field that has one a line. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}

/**
 * The error of a list that is saved as a whole, in the words of a form.
 * @param entry what the form edits. A wrong line of it is quoted, a wrong field named, instead of their places.
 * @param title of the list
 */
export function inWords(
  error: unknown,
  entry: object,
  { title, fields }: { title: string; fields: Readonly<Record<string, string>> },
): unknown {
  if (!(error instanceof ProblemError) || error.code !== 'invalid_body') return error;
  const [, field = '', line, rule] = /^"(?:\w+\.\d+\.)?(\w+)(?:\.(\d+))?" (.*)$/s.exec(error.message) ?? [];
  if (rule === undefined) return error;
  const lines = line === undefined ? null : (entry as Record<string, unknown>)[field];
  const what = Array.isArray(lines) ? `“${lines[Number(line)]}”` : (fields[field] ?? title);
  return new ProblemError({ code: error.code, status: error.status, detail: `${what} ${rule}` }, null);
}
