import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '../api/client.ts';
import { texts } from '../texts/index.ts';
import { AlertIcon } from './icons.tsx';

const { common } = texts;

/** What a form does when it is submitted: a mutation without variables. */
export interface Saving {
  mutate(): void;
  isPending: boolean;
  error: Error | null;
}

/** Why a form could not be submitted. Stands above its button. */
export function FormError({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <Alert icon={<AlertIcon />} color="red" variant="light" role="alert" p="sm">
      {errorText(error)}
    </Alert>
  );
}

interface FormDialogProps {
  opened?: boolean;
  close: () => void;
  title: string;
  submit: string;
  saving: Saving;
  danger?: boolean;
  disabled?: boolean;
  made?: { title: string; why: string; content: ReactNode } | null;
  children: ReactNode;
}

/**
 * A form in a dialog. It stays open and shows the reason if it fails.
 * @param danger for what cannot be undone
 * @param made what the form has created, if that is shown once, such as a key. Then only its own button closes it.
 * @param children the fields
 */
export function FormDialog({
  opened = true,
  close,
  title,
  submit,
  saving,
  danger = false,
  disabled = false,
  made = null,
  children,
}: FormDialogProps) {
  const mayClose = made === null;
  return (
    <Modal
      opened={opened}
      onClose={close}
      size={danger ? 'md' : 'lg'}
      title={made?.title ?? title}
      closeOnClickOutside={mayClose}
      closeOnEscape={mayClose}
      withCloseButton={mayClose}
    >
      {made === null ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            saving.mutate();
          }}
        >
          <Stack>
            {children}
            <FormError error={saving.error} />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close} data-autofocus={danger || undefined}>
                {common.cancel}
              </Button>
              <Button type="submit" color={danger ? 'red' : undefined} disabled={disabled} loading={saving.isPending}>
                {submit}
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
              {common.done}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

interface ConfirmProps {
  opened: boolean;
  title: string;
  children: string;
  action: string;
  act: () => Promise<unknown>;
  onClose: () => void;
}

/** Confirms an action that cannot be undone. */
export function Confirm({ opened, title, children, action, act, onClose }: ConfirmProps) {
  const acting = useMutation({ mutationFn: act, onSuccess: onClose });
  const close = () => {
    acting.reset();
    onClose();
  };
  return (
    <FormDialog danger opened={opened} close={close} title={title} submit={action} saving={acting}>
      <Text size="sm">{children}</Text>
    </FormDialog>
  );
}
