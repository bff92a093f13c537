import type { Member, MemberRole } from '@call-analytics/contracts';
import { Avatar, Badge, Radio, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api, errorText } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { useSession } from '../auth/session.tsx';
import { Confirm, FormDialog } from '../common/dialogs.tsx';
import { shownDay, shownMoment } from '../common/format.ts';
import { notify } from '../common/notices.tsx';
import { CodeBlock, Loaded, Note } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import { isActive } from './keys-page.tsx';
import { AddButton, apiKeysQuery, membersQuery, Row, RowAction, Rows, Section } from './settings-page.tsx';

const { settings: words } = texts;
const ROLES = [
  { value: 'owner', label: words.owner },
  { value: 'member', label: words.member },
];

export function MembersPage() {
  const { user, role: ownRole } = useSession();
  const query = useQuery(membersQuery);
  const { data: known } = useQuery(apiKeysQuery);
  const [isInviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member | null>(null);
  const isOwner = ownRole === 'owner';
  return (
    <Stack gap={40}>
      <Section
        title={words.membersTitle}
        lead={words.membersLead}
        action={isOwner && <AddButton label={words.invite} onClick={() => setInviting(true)} />}
      >
        <Loaded of={query}>
          {({ members }) => (
            <Rows label={words.membersTitle}>
              {members.map((member) => (
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
                          <RowAction
                            label={words.remove}
                            of={words.removeOf(member.name)}
                            onClick={() => setRemoving(member)}
                          />
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
        </Loaded>
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
    onError: (error) => notify({ tone: 'error', message: errorText(error) }),
    // The user's own role may have changed too.
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

/** The pending invitations. */
function Invitations() {
  const query = useQuery({
    queryKey: keys.invitations,
    queryFn: ({ signal }) => answered(api.GET('/app/invitations', { signal })),
  });
  const revoke = useMutation({
    mutationFn: (id: string) => answered(api.DELETE('/app/invitations/{id}', { params: { path: { id } } })),
    onSuccess: () => notify({ message: words.invitationRevoked }),
    onError: (reason) => notify({ tone: 'error', message: errorText(reason) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.invitations }),
  });
  return (
    <Section title={words.invitations}>
      <Loaded of={query} heights={[60]}>
        {({ invitations }) =>
          invitations.length === 0 ? (
            <Note>{words.noInvitations}</Note>
          ) : (
            <Rows label={words.invitations}>
              {invitations.map(({ id, role, createdAt, expiresAt }) => (
                <Row
                  key={id}
                  title={words.invitedAs(words[role])}
                  facts={[words.created(shownDay(createdAt)), words.expires(shownMoment(expiresAt))]}
                  actions={
                    <RowAction
                      label={words.revokeInvitation}
                      loading={revoke.isPending && revoke.variables === id}
                      onClick={() => revoke.mutate(id)}
                    />
                  }
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Section>
  );
}

/** Creates an invitation and shows its link. */
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
    <FormDialog
      opened={opened}
      close={close}
      title={words.inviteTitle}
      submit={words.makeLink}
      saving={making}
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
    </FormDialog>
  );
}
