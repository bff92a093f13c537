import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { installationQuery } from '../api/queries.ts';
import { Empty } from '../common/empty.tsx';
import { UploadIcon } from '../common/icons.tsx';
import { texts } from '../texts/texts.ts';
import classes from './calls.module.css';
import { ChooseFiles } from './upload/choose-files.tsx';
import { shownBytes } from './upload/format.ts';
import { ReportTypeChoice } from './upload/report-type-choice.tsx';

const words = texts.calls;

/** In the place of the list of an account without calls: how to get the first. */
export function NoCalls() {
  const { data: installation } = useQuery(installationQuery);
  return (
    <div className={classes.drop}>
      <Stack align="center" gap="md">
        <Text c="dimmed" lh={0} span>
          <UploadIcon size={44} />
        </Text>
        <Stack gap={6} align="center" maw={520}>
          <Title order={2}>{words.empty}</Title>
          <Text c="dimmed">{words.emptyHow}</Text>
        </Stack>
        <ChooseFiles size="md" />
        {installation !== undefined && (
          <Text size="sm" c="dimmed">
            {words.upload.formats(installation.formats, shownBytes(installation.maxUploadBytes))}
          </Text>
        )}
        <Group justify="center">
          <ReportTypeChoice />
        </Group>
        <Text size="sm" c="dimmed" mt="lg">
          {words.emptyApi} <Anchor renderRoot={(props) => <Link to="/settings" {...props} />}>{words.emptyKeys}</Anchor>{' '}
          {words.emptyAnd}{' '}
          <Anchor href="/docs" target="_blank" rel="noopener">
            {words.emptyDocs}
          </Anchor>
          .
        </Text>
      </Stack>
    </div>
  );
}

export function NothingMatches({ reset }: { reset(): void }) {
  return (
    <Empty title={words.nothingMatches}>
      <Text c="dimmed">{words.nothingMatchesWhy}</Text>
      <Button variant="default" onClick={reset}>
        {words.filters.reset}
      </Button>
    </Empty>
  );
}

/** In the place of a page behind the last. */
export function NoSuchPage({ toFirst }: { toFirst(): void }) {
  return (
    <Empty title={words.beyond}>
      <Text c="dimmed">{words.beyondWhy}</Text>
      <Button variant="default" onClick={toFirst}>
        {words.firstPage}
      </Button>
    </Empty>
  );
}
