import type { MemberRole } from '@call-analytics/contracts';
import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../../api/client.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { CodeBlock } from '../../common/code.tsx';
import { FormError } from '../../common/failed.tsx';
import { texts } from '../../texts/texts.ts';

const { settings: words, common } = texts;

/** Makes an invitation and shows its link, this once. */
export function Invite({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [role, setRole] = useState<MemberRole>('member');
  const making = useMutation({
    mutationFn: () => answered(api.POST('/app/invitations', { body: { role } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.invitations }),
  });
  const close = () => {
    onClose();
    setRole('member');
    making.reset();
  };
  const url = making.data?.url;
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={url === undefined ? words.inviteTitle : words.linkMade}
      closeOnClickOutside={url === undefined}
      closeOnEscape={url === undefined}
      withCloseButton={url === undefined}
    >
      {url === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            making.mutate();
          }}
        >
          <Stack>
            <Text size="sm">{words.inviteWhy}</Text>
            <Radio.Group label={words.inviteAs} value={role} onChange={(value) => setRole(value as MemberRole)}>
              <Stack gap="xs" mt="xs">
                <Radio value="member" label={words.memberMeans} />
                <Radio value="owner" label={words.ownerMeans} />
              </Stack>
            </Radio.Group>
            <FormError error={making.error} />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close}>
                {common.cancel}
              </Button>
              <Button type="submit" loading={making.isPending}>
                {words.makeLink}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Stack>
          <Text size="sm">{words.linkMadeWhy}</Text>
          <CodeBlock code={url} label={words.invitedAs(words[role])} copy={words.copyLink} wrap />
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
