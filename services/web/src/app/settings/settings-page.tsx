import { Box, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemError } from '../api/client.ts';
import type { Saving } from '../common/dialogs.tsx';
import { PlusIcon } from '../common/icons.tsx';
import { FormError, Sections } from '../common/page.tsx';
import { texts } from '../texts/index.ts';

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

export function SettingsPage() {
  return <Sections title={words.title} label={words.sections} of={SECTIONS} />;
}

/** A section of the settings. */
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

/** A form on a card. @param wide for long text */
export function CardForm({
  submit,
  disabled = false,
  wide = false,
  saving,
  children,
}: {
  submit: string;
  disabled?: boolean;
  wide?: boolean;
  saving: Saving;
  children: ReactNode;
}) {
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
