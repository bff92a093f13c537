import { Anchor, Badge, Code, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { problemOf, UnreachableError } from '../api/problem.ts';
import { CodeBlock } from '../common/code.tsx';
import { Failed } from '../common/failed.tsx';
import { texts } from '../texts/texts.ts';
import { type Description, type Endpoint, endpointsOf, errorsOf, parametersOf, ruleOf, type Schema } from './openapi.ts';
import { Prose } from './prose.tsx';
import classes from './reference.module.css';

const { docs: words } = texts;
const ADDRESS = '/api/v1/openapi.json';

/** The API as its OpenAPI document describes it. */
export function ReferencePage() {
  const { data, error, refetch } = useQuery({ queryKey: ['openapi'], queryFn: read, staleTime: Number.POSITIVE_INFINITY });
  // Links to a code or an operation, as in the `type` of an error, are there before what they lead to.
  useEffect(() => {
    if (data !== undefined && location.hash !== '') document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [data]);
  if (data === undefined) return error === null ? <Skeleton h={480} radius="lg" /> : <Failed error={error} retry={() => void refetch()} />;
  const groups = endpointsOf(data);
  return (
    <Stack gap={40}>
      <Stack gap="xs">
        <Text>
          <Prose>{data.info.description}</Prose>
        </Text>
        <Text c="dimmed" size="sm">
          {words.referenceLead}{' '}
          <Anchor href={ADDRESS} size="sm">
            {words.document}
          </Anchor>
        </Text>
      </Stack>
      <nav aria-label={words.onThisPage} className={classes.contents}>
        {groups.map(({ tag, endpoints }) => (
          <div key={tag}>
            <Text size="xs" fw={650} c="dimmed">
              {tag}
            </Text>
            {endpoints.map(({ operation }) => (
              <Anchor key={operation.operationId} href={`#${operation.operationId}`} size="sm" display="block" underline="hover">
                {operation.summary}
              </Anchor>
            ))}
          </div>
        ))}
        <div>
          <Text size="xs" fw={650} c="dimmed">
            {words.reference}
          </Text>
          <Anchor href="#objects" size="sm" display="block" underline="hover">
            {words.objects}
          </Anchor>
          <Anchor href="#errors" size="sm" display="block" underline="hover">
            {words.errors}
          </Anchor>
        </div>
      </nav>
      {groups.flatMap(({ endpoints }) =>
        endpoints.map((endpoint) => <EndpointSection key={endpoint.operation.operationId} endpoint={endpoint} description={data} />),
      )}
      <section id="objects" className={classes.section}>
        <Title order={2} mb="md">
          {words.objects}
        </Title>
        <Stack gap="lg">
          {Object.entries(data.components.schemas).map(([name, schema]) => (
            <div key={name} id={name}>
              <Title order={3}>{name}</Title>
              <Text size="sm" mb="xs">
                <Prose>{schema.description ?? ''}</Prose>
              </Text>
              <Properties schema={schema} label={name} />
            </div>
          ))}
        </Stack>
      </section>
      <section id="errors" className={classes.section}>
        <Title order={2} mb="xs">
          {words.errors}
        </Title>
        <Text size="sm" mb="md">
          {words.errorsLead}
        </Text>
        <Facts
          label={words.errors}
          head={[words.status, words.code, words.meaning]}
          rows={errorsOf(data).map(({ status, code, title, meaning }) => ({
            id: code,
            cells: [
              status,
              <Code key="code">{code}</Code>,
              <span key="meaning">
                <b>{title}.</b> <Prose>{meaning}</Prose>
              </span>,
            ],
          }))}
        />
      </section>
    </Stack>
  );
}

function EndpointSection({ endpoint: { method, path, operation }, description }: { endpoint: Endpoint; description: Description }) {
  const parameters = parametersOf(operation, description);
  const answers = Object.entries(operation.responses).map(([status, { description: said, content = {} }]) => {
    const [type, answer] = Object.entries(content)[0] ?? [];
    return { status, said, isProblem: type === 'application/problem+json', examples: Object.entries(answer?.examples ?? {}) };
  });
  const [bodyType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return (
    <section id={operation.operationId} className={classes.section}>
      <Stack gap="sm">
        <Title order={2}>{operation.summary}</Title>
        <Group gap="sm">
          <Badge>{method}</Badge>
          <code className={classes.path}>{path}</code>
        </Group>
        <Text size="sm">
          <Prose>{operation.description}</Prose>
        </Text>
        {parameters.length > 0 && (
          <Facts
            label={words.parameters}
            head={[words.parameters, words.rule, words.meaning]}
            rows={parameters.map(({ name, in: place, schema, description: said = '' }) => ({
              id: undefined,
              cells: [
                <span key="name">
                  <Code>{name}</Code> <span className={classes.place}>{words.inPlace(place)}</span>
                </span>,
                ruleOf(schema),
                <Prose key="meaning">{said}</Prose>,
              ],
            }))}
          />
        )}
        {body?.schema?.properties !== undefined && <Properties schema={body.schema} label={`${words.body}: ${bodyType}`} />}
        {answers
          .filter(({ isProblem }) => !isProblem)
          .map(({ status, said, examples }) => (
            <Stack key={status} gap="xs">
              <Text size="sm">
                <b>{status}</b> <Prose>{said}</Prose>
              </Text>
              {examples.map(([name, { value }]) => (
                <details key={name}>
                  <summary className={classes.summary}>
                    {words.example}: {name}
                  </summary>
                  <CodeBlock label={name} code={JSON.stringify(value, null, 2)} />
                </details>
              ))}
            </Stack>
          ))}
        {answers.some(({ isProblem }) => isProblem) && (
          <Group gap="6px 12px">
            <Text size="sm">{words.errors}</Text>
            {answers
              .filter(({ isProblem }) => isProblem)
              .flatMap(({ status, examples }) =>
                examples.map(([code]) => (
                  <Anchor key={code} href={`#${code}`} size="xs" underline="hover">
                    <Code>
                      {status} {code}
                    </Code>
                  </Anchor>
                )),
              )}
          </Group>
        )}
      </Stack>
    </section>
  );
}

function Properties({ schema: { properties = {}, required = [] }, label }: { schema: Schema; label: string }) {
  return (
    <Facts
      label={label}
      head={[words.name, words.rule, words.meaning]}
      rows={Object.entries(properties).map(([name, schema]) => ({
        id: undefined,
        cells: [
          <span key="name">
            <Code>{name}</Code> {!required.includes(name) && <span className={classes.place}>{words.optional}</span>}
          </span>,
          ruleOf(schema),
          <Prose key="meaning">{schema.description ?? ''}</Prose>,
        ],
      }))}
    />
  );
}

function Facts({ label, head, rows }: { label: string; head: string[]; rows: { id: string | undefined; cells: React.ReactNode[] }[] }) {
  return (
    <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': label, role: 'group' } }}>
      <Table verticalSpacing="xs" fz="sm" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {head.map((each) => (
              <Table.Th key={each}>{each}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ id, cells }, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the table never changes
            <Table.Tr key={row} id={id}>
              {cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the table never changes
                <Table.Td key={column} valign="top">
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

async function read(): Promise<Description> {
  const response = await fetch(ADDRESS).catch((cause) => {
    throw new UnreachableError('nothing answered', { cause });
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok || body === null) throw problemOf(response, body);
  return body as Description;
}
