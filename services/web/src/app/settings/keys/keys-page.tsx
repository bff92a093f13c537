import type { Key } from '@call-analytics/contracts';
import { Anchor, Badge, Button, Card, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../../api/client.ts';
import { queryClient, keys as queryKeys } from '../../api/queries.ts';
import { Confirm } from '../../common/confirm.tsx';
import { shownDay, shownMoment } from '../../common/dates.ts';
import { Empty } from '../../common/empty.tsx';
import { Failed } from '../../common/failed.tsx';
import { PlusIcon } from '../../common/icons.tsx';
import { notify } from '../../common/notices.tsx';
import { Row, Rows } from '../../common/rows.tsx';
import { texts } from '../../texts/texts.ts';
import { Section } from '../section.tsx';
import { creation, isActive, permission } from './key-facts.ts';
import { NewKey } from './new-key.tsx';

const { settings: words } = texts;

export function KeysPage() {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.apiKeys,
    queryFn: ({ signal }) => answered(api.GET('/app/keys', { signal })),
  });
  const { data: known } = useQuery({
    queryKey: queryKeys.members,
    queryFn: ({ signal }) => answered(api.GET('/app/members', { signal })),
  });
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [withRevoked, setWithRevoked] = useState(false);
  const newest = data?.keys.toReversed() ?? [];
  const working = newest.filter((key) => isActive(key));
  const revoked = newest.filter((key) => !isActive(key));
  const newKey = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => setMaking(true)}>
      {words.newKey}
    </Button>
  );
  return (
    <Section title={words.keysTitle} lead={words.keysLead} action={working.length > 0 && newKey}>
      <Stack>
        {data === undefined && error === null && <Skeleton h={160} radius="lg" />}
        {data === undefined && error !== null && <Failed error={error} retry={() => void refetch()} />}
        {data !== undefined && working.length === 0 && (
          <Card>
            <Empty title={words.noKeys}>
              <span>{words.noKeysWhy}</span>
              {newKey}
            </Empty>
          </Card>
        )}
        {working.length > 0 && (
          <Rows label={words.keysTitle}>
            {working.map((key) => (
              <Row
                key={key.id}
                title={key.name}
                facts={[
                  <code key="prefix">{key.prefix}…</code>,
                  ...permission(key),
                  creation(key, known?.members),
                  key.lastUsedAt === null ? words.neverUsed : words.lastUsed(shownMoment(key.lastUsedAt)),
                ]}
                actions={
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={words.revokeOf(key.name)}
                    onClick={() => setRevoking(key)}
                  >
                    {words.revoke}
                  </Button>
                }
              />
            ))}
          </Rows>
        )}
        {revoked.length > 0 && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            w="fit-content"
            onClick={() => setWithRevoked(!withRevoked)}
            aria-expanded={withRevoked}
          >
            {withRevoked ? words.hideRevoked : words.showRevoked(revoked.length)}
          </Anchor>
        )}
        {withRevoked && revoked.length > 0 && (
          <Rows label={words.showRevoked(revoked.length)}>
            {revoked.map((key) => (
              <Row
                key={key.id}
                title={key.name}
                facts={[<code key="prefix">{key.prefix}…</code>, creation(key, known?.members)]}
                actions={
                  <Badge color="gray">
                    {key.revokedAt === null
                      ? words.expiredOn(shownDay(key.expiresAt ?? key.createdAt))
                      : words.revokedOn(shownDay(key.revokedAt))}
                  </Badge>
                }
              />
            ))}
          </Rows>
        )}
        <Anchor size="sm" href="/docs" target="_blank" rel="noopener">
          {words.startDocs}
        </Anchor>
      </Stack>
      <NewKey opened={isMaking} onClose={() => setMaking(false)} />
      <Confirm
        opened={revoking !== null}
        title={words.revokeTitle(revoking?.name ?? '')}
        action={words.revoke}
        act={() => revoke(revoking)}
        onClose={() => setRevoking(null)}
      >
        {words.revokeWhy}
      </Confirm>
    </Section>
  );
}

async function revoke(key: Key | null): Promise<void> {
  if (key === null) return;
  await answered(api.DELETE('/app/keys/{id}', { params: { path: { id: key.id } } }));
  notify({ message: words.keyRevoked(key.name) });
  await queryClient.invalidateQueries({ queryKey: queryKeys.apiKeys });
}
