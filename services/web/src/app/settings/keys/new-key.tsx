import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../../api/client.ts';
import { queryClient, keys as queryKeys } from '../../api/queries.ts';
import { CodeBlock } from '../../common/code.tsx';
import { FormError } from '../../common/failed.tsx';
import { tryKey } from '../../docs/snippets.ts';
import { texts } from '../../texts/texts.ts';

const { settings: words, common } = texts;

/** Makes a key and shows its secret, this once: closing it takes a click on its own button. */
export function NewKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const making = useMutation({
    mutationFn: () => answered(api.POST('/app/keys', { body: { name } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.apiKeys }),
  });
  const close = () => {
    onClose();
    setName('');
    making.reset();
  };
  const secret = making.data?.secret;
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={secret === undefined ? words.newKey : words.keyMade}
      closeOnClickOutside={secret === undefined}
      closeOnEscape={secret === undefined}
      withCloseButton={secret === undefined}
    >
      {secret === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            making.mutate();
          }}
        >
          <Stack>
            <TextInput
              label={words.keyName}
              description={words.keyNameHint}
              placeholder={words.keyNameExample}
              maxLength={200}
              required
              withAsterisk={false}
              data-autofocus
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <FormError error={making.error} />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close}>
                {common.cancel}
              </Button>
              <Button type="submit" loading={making.isPending}>
                {words.makeKey}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Stack>
          <Text size="sm">{words.keyMadeWhy}</Text>
          <CodeBlock code={secret} label={making.data?.key.name ?? ''} copy={words.copyKey} wrap />
          <CodeBlock code={tryKey(location.origin, secret)} label={words.tryIt} copy={words.copyLine} wrap />
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
