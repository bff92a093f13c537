import { Button, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { answered, api } from '../../api/client.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { wordsFor } from '../../api/words.ts';
import { shownDay, shownMoment } from '../../common/dates.ts';
import { Failed } from '../../common/failed.tsx';
import { notify } from '../../common/notices.tsx';
import { Row, Rows } from '../../common/rows.tsx';
import { texts } from '../../texts/texts.ts';
import { Section } from '../section.tsx';

const { settings: words } = texts;

/** Those that nobody has used yet. */
export function Invitations() {
  const { data, error, refetch } = useQuery({
    queryKey: keys.invitations,
    queryFn: ({ signal }) => answered(api.GET('/app/invitations', { signal })),
  });
  const withdraw = useMutation({
    mutationFn: (id: string) => answered(api.DELETE('/app/invitations/{id}', { params: { path: { id } } })),
    onSuccess: () => notify({ message: words.withdrawn }),
    onError: (reason) => notify({ tone: 'error', message: wordsFor(reason) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.invitations }),
  });
  return (
    <Section title={words.invitations}>
      {data === undefined && error === null && <Skeleton h={60} radius="lg" />}
      {data === undefined && error !== null && <Failed error={error} retry={() => void refetch()} />}
      {data?.invitations.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.noInvitations}
        </Text>
      )}
      {data !== undefined && data.invitations.length > 0 && (
        <Rows label={words.invitations}>
          {data.invitations.map(({ id, role, createdAt, expiresAt }) => (
            <Row
              key={id}
              title={words.invitedAs(words[role])}
              facts={[words.created(shownDay(createdAt)), words.expires(shownMoment(expiresAt))]}
              actions={
                <Button
                  size="xs"
                  variant="default"
                  loading={withdraw.isPending && withdraw.variables === id}
                  onClick={() => withdraw.mutate(id)}
                >
                  {words.withdraw}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
    </Section>
  );
}
