import { Box, Button, Card, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormError, Sections } from '../common/page.tsx';
import { texts } from '../texts/index.ts';

const { settings: words, common } = texts;

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
  saving: { mutate(): void; isPending: boolean; error: Error | null };
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

/** The entries of a field that has one a line. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}

/**
 * A list with one entry changed, for lists that are saved as a whole.
 * @param before null adds an entry
 * @param after null deletes it
 * @returns null when the list no longer has the entry: somebody else has changed it
 */
export function withEntry<T>(list: readonly T[], before: T | null, after: T | null): T[] | null {
  const isBefore = (each: T) => JSON.stringify(each) === JSON.stringify(before);
  const at = before === null ? list.length : list.findIndex(isBefore);
  return at === -1 ? null : list.toSpliced(at, 1, ...(after === null ? [] : [after]));
}

interface Making {
  mutate(): void;
  isPending: boolean;
  error: Error | null;
}

/**
 * Creates something that is shown once, such as a key. After that, only its own button closes it.
 * @param children the fields of the form
 * @param made the title and content after creation; null before it
 */
export function ShownOnce({
  opened,
  close,
  title,
  make,
  making,
  made,
  children,
}: {
  opened: boolean;
  close: () => void;
  title: string;
  make: string;
  making: Making;
  made: { title: string; why: string; content: ReactNode } | null;
  children: ReactNode;
}) {
  const mayClose = made === null;
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={made?.title ?? title}
      closeOnClickOutside={mayClose}
      closeOnEscape={mayClose}
      withCloseButton={mayClose}
    >
      {made === null ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            making.mutate();
          }}
        >
          <Stack>
            {children}
            <FormError error={making.error} />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close}>
                {common.cancel}
              </Button>
              <Button type="submit" loading={making.isPending}>
                {make}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Stack>
          <Text size="sm">{made.why}</Text>
          {made.content}
          <Group justify="flex-end">
            <Button onClick={close} data-autofocus>
              {words.done}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

/** Confirms an action that cannot be undone. Stays open and shows the reason if it fails. */
export function Confirm({
  opened,
  title,
  children,
  action,
  act,
  onClose,
}: {
  opened: boolean;
  title: string;
  children: string;
  action: string;
  act: () => Promise<unknown>;
  onClose: () => void;
}) {
  const acting = useMutation({ mutationFn: act, onSuccess: onClose });
  const close = () => {
    acting.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <Stack>
        <Text size="sm">{children}</Text>
        <FormError error={acting.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close} data-autofocus>
            {texts.common.cancel}
          </Button>
          <Button color="red" loading={acting.isPending} onClick={() => acting.mutate()}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
