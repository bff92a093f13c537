import type { KeyScope } from '@call-analytics/contracts';
import { NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../../api/client.ts';
import { queryClient, keys as queryKeys } from '../../api/queries.ts';
import { useDraft } from '../../chunks/drafts.ts';
import { CodeBlock } from '../../common/code.tsx';
import { useSession } from '../../session/use-session.ts';
import { texts } from '../../texts/texts.ts';
import { ShownOnce } from '../shown-once.tsx';

const { settings: words } = texts;

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
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.apiKeys }),
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
    <ShownOnce
      opened={opened}
      close={close}
      title={words.newKey}
      make={words.makeKey}
      making={making}
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
        withAsterisk={false}
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
    </ShownOnce>
  );
}

/** A command that works at once: whose key is it? */
function tryKey(origin: string, key: string): string {
  return `curl -H "Authorization: Bearer ${key}" ${origin}/api/v1/me`;
}
