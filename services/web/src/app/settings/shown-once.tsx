import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormError } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';

const { settings: words, common } = texts;

interface Making {
  mutate(): void;
  isPending: boolean;
  error: Error | null;
}

/**
 * Makes something that is shown this once, such as a key: from then on it closes by a click on its own button alone.
 * @param children the fields of the form
 * @param made what is shown, and how it is called; null before it is made
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
