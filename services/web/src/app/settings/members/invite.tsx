import type { MemberRole } from '@call-analytics/contracts';
import { Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../../api/client.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { CodeBlock } from '../../common/code.tsx';
import { texts } from '../../texts/texts.ts';
import { ShownOnce } from '../shown-once.tsx';

const { settings: words } = texts;

/** Makes an invitation and shows its link. */
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
    <ShownOnce
      opened={opened}
      close={close}
      title={words.inviteTitle}
      make={words.makeLink}
      making={making}
      made={
        url === undefined
          ? null
          : {
              title: words.linkMade,
              why: words.linkMadeWhy,
              content: <CodeBlock code={url} label={words.invitedAs(words[role])} copy={words.copyLink} wrap />,
            }
      }
    >
      <Text size="sm">{words.inviteWhy}</Text>
      <Radio.Group label={words.inviteAs} value={role} onChange={(value) => setRole(value as MemberRole)}>
        <Stack gap="xs" mt="xs">
          <Radio value="member" label={words.memberMeans} />
          <Radio value="owner" label={words.ownerMeans} />
        </Stack>
      </Radio.Group>
    </ShownOnce>
  );
}
