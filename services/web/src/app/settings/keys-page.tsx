import type { Key, KeyScope, Member } from '@call-analytics/contracts';
import { Anchor, Badge, Card, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { useSession } from '../auth/session.tsx';
import { useDraft } from '../chunks/chunk.tsx';
import { Confirm, FormDialog } from '../common/dialogs.tsx';
import { shownDay, shownMoment } from '../common/format.ts';
import { notify } from '../common/notices.tsx';
import { CodeBlock, Empty, Loaded } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import { AddButton, apiKeysQuery, membersQuery, Row, RowAction, Rows, Section } from './settings-page.tsx';

const { settings: words } = texts;

export function KeysPage() {
  const query = useQuery(apiKeysQuery);
  const { data: known } = useQuery(membersQuery);
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [withRevoked, setWithRevoked] = useState(false);
  const newest = query.data?.keys.toReversed() ?? [];
  const working = newest.filter((key) => isActive(key));
  const revoked = newest.filter((key) => !isActive(key));
  const newKey = <AddButton label={words.newKey} onClick={() => setMaking(true)} />;
  return (
    <Section title={words.keysTitle} lead={words.keysLead} action={working.length > 0 && newKey}>
      <Stack>
        <Loaded of={query}>
          {() =>
            working.length === 0 ? (
              <Card>
                <Empty title={words.noKeys}>
                  <span>{words.noKeysWhy}</span>
                  {newKey}
                </Empty>
              </Card>
            ) : (
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
                      <RowAction label={words.revoke} of={words.revokeOf(key.name)} onClick={() => setRevoking(key)} />
                    }
                  />
                ))}
              </Rows>
            )
          }
        </Loaded>
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
  await queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
}

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: '', label: words.never },
  { value: '30', label: words.days(30) },
  { value: '90', label: words.days(90) },
  { value: '365', label: words.days(365) },
];

/** Creates a key and shows its secret, with a command to try it. */
export function NewKey({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [scope, setScope] = useState<KeyScope>('write');
  const [days, setDays] = useState('');
  const { user } = useSession();
  const [name, setName] = useDraft(`${user.id} new key`);
  const making = useMutation({
    mutationFn: () => {
      const expiresAt = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
      return answered(api.POST('/app/keys', { body: { name, scope, expiresAt } }));
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey }),
  });
  const close = () => {
    onClose();
    setName('');
    setScope('write');
    setDays('');
    making.reset();
  };
  const made = making.data;
  return (
    <FormDialog
      opened={opened}
      close={close}
      title={words.newKey}
      submit={words.makeKey}
      saving={making}
      made={
        made === undefined
          ? null
          : {
              title: words.keyMade,
              why: words.keyMadeWhy,
              content: (
                <>
                  <CodeBlock code={made.secret} label={made.key.name} copy={words.copyKey} wrap />
                  <CodeBlock
                    code={tryKey(location.origin, made.secret)}
                    label={words.tryIt}
                    copy={words.copyLine}
                    wrap
                  />
                </>
              ),
            }
      }
    >
      <TextInput
        label={words.keyName}
        description={words.keyNameHint}
        placeholder={words.keyNameExample}
        maxLength={200}
        required
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Radio.Group label={words.access} value={scope} onChange={(value) => setScope(value as KeyScope)}>
        <Stack gap="xs" mt="xs">
          <Radio value="write" label={words.writeMeans} />
          <Radio value="read" label={words.readMeans} />
        </Stack>
      </Radio.Group>
      <NativeSelect
        label={words.expiry}
        data={LIFETIMES}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** A command that tries the key: it responds with the account. */
function tryKey(origin: string, key: string): string {
  return `curl -H "Authorization: Bearer ${key}" ${origin}/api/v1/me`;
}

/** Whether the key is accepted at this time. */
export function isActive({ revokedAt, expiresAt }: Key, now = new Date()): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > now);
}

/**
 * @param members of the account, for the names; undefined while they are not loaded
 * @returns when the key was created and by whom, e.g. `Created Nov 21, 2026 by Ada`
 */
function creation({ createdAt, createdBy }: Key, members: readonly Member[] | undefined): string {
  const created = words.created(shownDay(createdAt));
  if (createdBy === 'operator') return words.createdByOperator(created);
  if (createdBy === null || members === undefined) return created;
  return words.createdBy(created, members.find(({ userId }) => userId === createdBy)?.name ?? words.formerMember);
}

/** @returns what the key may do and until when, e.g. `Read only`, `Expires Nov 21, 2027` */
export function permission({ scope, expiresAt }: Key): string[] {
  return [
    scope === 'read' ? words.readOnly : words.readWrite,
    expiresAt === null ? words.neverExpires : words.expiresOn(shownDay(expiresAt)),
  ];
}
