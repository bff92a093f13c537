import type { Member, MemberRole } from '@call-analytics/contracts';
import { Avatar, Badge, Button, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../../api/client.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { wordsFor } from '../../api/words.ts';
import { Confirm } from '../../common/confirm.tsx';
import { shownDay } from '../../common/dates.ts';
import { Failed } from '../../common/failed.tsx';
import { PlusIcon } from '../../common/icons.tsx';
import { notify } from '../../common/notices.tsx';
import { Row, Rows } from '../../common/rows.tsx';
import { useSession } from '../../session/use-session.ts';
import { texts } from '../../texts/texts.ts';
import { isActive } from '../keys/key-facts.ts';
import { Section } from '../section.tsx';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';

const { settings: words } = texts;
const ROLES = [
  { value: 'owner', label: words.owner },
  { value: 'member', label: words.member },
];

export function MembersPage() {
  const { user, role: ownRole } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: keys.members,
    queryFn: ({ signal }) => answered(api.GET('/app/members', { signal })),
  });
  const { data: known } = useQuery({
    queryKey: keys.apiKeys,
    queryFn: ({ signal }) => answered(api.GET('/app/keys', { signal })),
  });
  const [isInviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member | null>(null);
  const isOwner = ownRole === 'owner';
  return (
    <Stack gap={40}>
      <Section
        title={words.membersTitle}
        lead={words.membersLead}
        action={
          isOwner && (
            <Button leftSection={<PlusIcon size={16} />} onClick={() => setInviting(true)}>
              {words.invite}
            </Button>
          )
        }
      >
        {data === undefined && error === null && <Skeleton h={160} radius="lg" />}
        {data === undefined && error !== null && <Failed error={error} retry={() => void refetch()} />}
        {data !== undefined && (
          <Rows label={words.membersTitle}>
            {data.members.map((member) => (
              <Row
                key={member.userId}
                before={<Avatar name={member.name} color="ink" radius="md" size={40} aria-hidden />}
                title={
                  <>
                    {member.name}{' '}
                    {member.userId === user.id && (
                      <Text span size="sm" c="dimmed" fw={400}>
                        ({words.you})
                      </Text>
                    )}
                  </>
                }
                facts={[member.email, words.joined(shownDay(member.joinedAt))]}
                actions={
                  isOwner ? (
                    <>
                      <RoleSelect member={member} />
                      {member.userId !== user.id && (
                        <Button
                          size="xs"
                          variant="default"
                          aria-label={words.removeOf(member.name)}
                          onClick={() => setRemoving(member)}
                        >
                          {words.remove}
                        </Button>
                      )}
                    </>
                  ) : (
                    <Badge color="gray">{words[member.role]}</Badge>
                  )
                }
              />
            ))}
          </Rows>
        )}
      </Section>
      {isOwner && <Invitations />}
      <Invite opened={isInviting} onClose={() => setInviting(false)} />
      <Confirm
        opened={removing !== null}
        title={words.removeTitle(removing?.name ?? '')}
        action={words.remove}
        act={() => remove(removing)}
        onClose={() => setRemoving(null)}
      >
        {words.removeWhy(
          known?.keys.filter((key) => isActive(key) && key.createdBy === removing?.userId).length ?? null,
        )}
      </Confirm>
    </Stack>
  );
}

function RoleSelect({ member: { userId, name, role } }: { member: Member }) {
  const change = useMutation({
    mutationFn: (to: MemberRole) =>
      answered(api.PATCH('/app/members/{id}', { params: { path: { id: userId } }, body: { role: to } })),
    onSuccess: (_, to) => notify({ message: words.roleChanged(name, words[to]) }),
    onError: (error) => notify({ tone: 'error', message: wordsFor(error) }),
    // One's own role may have changed too.
    onSettled: () =>
      Promise.all([keys.members, keys.session].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
  return (
    <Select
      aria-label={words.roleOf(name)}
      size="xs"
      w={110}
      data={ROLES}
      value={change.isPending ? change.variables : role}
      disabled={change.isPending}
      onChange={(to) => to !== role && change.mutate(to as MemberRole)}
    />
  );
}

async function remove(member: Member | null): Promise<void> {
  if (member === null) return;
  await answered(api.DELETE('/app/members/{id}', { params: { path: { id: member.userId } } }));
  notify({ message: words.removed(member.name) });
  await queryClient.invalidateQueries({ queryKey: keys.members });
}
