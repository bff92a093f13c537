import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api } from '../../api/client.ts';
import { queryClient, keys as queryKeys } from '../../api/queries.ts';
import { CodeBlock } from '../../common/code.tsx';
import { tryKey } from '../../docs/snippets.ts';
import { texts } from '../../texts/texts.ts';
import { ShownOnce } from '../shown-once.tsx';

const { settings: words } = texts;

/** Makes a key and shows its secret, with a line to try it. */
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
                  <CodeBlock code={tryKey(location.origin, made.secret)} label={words.tryIt} copy={words.copyLine} wrap />
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
    </ShownOnce>
  );
}
