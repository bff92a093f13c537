import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { texts } from '../texts/texts.ts';
import { FormError } from './failed.tsx';

/** Asks before something that cannot be undone. Stays open, with the reason, when it did not go through. */
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
