import { Anchor, List, Stack, Tabs, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { installationQuery } from '../api/queries.ts';
import { CodeBlock } from '../common/code.tsx';
import { LOCALE, texts } from '../texts/texts.ts';
import { curlReport, curlUpload, python, tryKey, typescript } from './snippets.ts';

const { docs: words } = texts;
const SHOWN_KEY = 'aca_your_key';
const list = new Intl.ListFormat(LOCALE);

export function StartPage() {
  const [typed, setTyped] = useState('');
  const { data: installation } = useQuery(installationQuery);
  const key = isKey(typed) ? typed.trim() : SHOWN_KEY;
  const place = { origin: location.origin, key, file: 'call.mp3' };
  return (
    <Stack gap={36}>
      <div>
        <Title order={2} mb={4}>
          {words.start}
        </Title>
        <Text c="dimmed">{words.startLead}</Text>
      </div>
      <Step title={words.stepKey}>
        <Text size="sm">
          {words.stepKeyHow}{' '}
          <Anchor size="sm" renderRoot={(props) => <Link to="/settings/keys" {...props} />}>
            {words.toKeys}
          </Anchor>
        </Text>
        <TextInput
          label={words.keyLabel}
          placeholder={SHOWN_KEY}
          autoComplete="off"
          spellCheck={false}
          maw={480}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Step>
      <Step title={words.stepTry}>
        <CodeBlock label={words.terminal} code={tryKey(place.origin, key)} wrap />
        <Text size="sm">{words.stepTryHow}</Text>
      </Step>
      <Step title={words.stepUpload}>
        <Text size="sm">{words.stepUploadHow(list.format((installation?.formats ?? ['mp3']).map((format) => format.toUpperCase())))}</Text>
        <Tabs defaultValue="curl" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="curl">curl</Tabs.Tab>
            <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
            <Tabs.Tab value="python">Python</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="curl">
            <Stack>
              <CodeBlock label={words.curlLabel} code={curlUpload(place)} />
              <CodeBlock label={words.curlThen} code={curlReport()} />
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="typescript">
            <Stack>
              <Text size="sm">{words.tsRun}</Text>
              <CodeBlock label={words.tsLabel} code={typescript(place)} />
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="python">
            <Stack>
              <Text size="sm">{words.pyRun}</Text>
              <CodeBlock label={words.pyLabel} code={python(place)} />
            </Stack>
          </Tabs.Panel>
        </Tabs>
      </Step>
      <Step title={words.stepNext}>
        <List size="sm" spacing="xs">
          {words.next.map((said) => (
            <List.Item key={said}>{said}</List.Item>
          ))}
        </List>
      </Step>
    </Stack>
  );
}

/** Only what can be a key comes into lines that somebody will run. */
function isKey(typed: string): boolean {
  return /^aca_[A-Za-z0-9_-]+$/.test(typed.trim());
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} mb="sm">
        {title}
      </Title>
      <Stack>{children}</Stack>
    </section>
  );
}
