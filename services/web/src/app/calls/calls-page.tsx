import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { installationQuery, usePolling } from '../api/queries.ts';
import { UploadIcon } from '../common/icons.tsx';
import { Empty, IgnoredNotice, Loaded, Page } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import { addressOf, isFiltered, type ListView, readAddress, searchOf } from './address.ts';
import classes from './calls.module.css';
import { CallsList } from './calls-list.tsx';
import { Filters } from './filters.tsx';
import { listQuery } from './requests.ts';
import { ChooseFiles, UploadChoices } from './upload/choose-files.tsx';
import { shownBytes } from './upload/send.ts';

/** The placeholder of the list. */
const ROWS = Array<number>(8).fill(56);

/** The list of calls. The address holds the search, the filters, the order and the page. */
export function CallsPage() {
  const { view, ignored } = readAddress(useSearch({ from: '/frame/inside/calls' }));
  const navigate = useNavigate({ from: '/calls' });
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const found = useQuery({ ...listQuery(searchOf(view)), refetchInterval: usePolling(true) });
  // Every change adds a history entry, except each typed letter.
  const show = (next: ListView) =>
    void navigate({
      search: addressOf(next),
      replace: next.text !== view.text && view.text !== undefined,
      resetScroll: next.page !== view.page,
    });
  const filtered = isFiltered(view);
  const isFirst = found.data !== undefined && found.data.total === 0 && !filtered && !found.isPlaceholderData;
  return (
    <Page title={texts.calls.title} actions={isFirst ? undefined : <UploadHere />}>
      <IgnoredNotice ignored={ignored} />
      {isFirst ? (
        <NoCalls />
      ) : (
        <Stack gap="md">
          <Filters view={view} onChange={show} withSort={isPhone} />
          <Loaded of={found} heights={ROWS}>
            {(page) =>
              page.total === 0 && filtered ? (
                <NothingMatches reset={() => show({ sort: view.sort, order: view.order, page: 1 })} />
              ) : (
                <CallsList
                  found={page}
                  view={view}
                  onChange={show}
                  asCards={isPhone}
                  isOutdated={found.isPlaceholderData}
                />
              )
            }
          </Loaded>
        </Stack>
      )}
    </Page>
  );
}

function UploadHere() {
  return (
    <div className={classes.uploadHere}>
      <UploadChoices />
      <ChooseFiles label={texts.calls.upload.upload} />
    </div>
  );
}

const words = texts.calls;

/** Shown to an account without calls: how to upload the first one. */
function NoCalls() {
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
          <UploadChoices />
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

function NothingMatches({ reset }: { reset(): void }) {
  return (
    <Empty title={words.nothingMatches}>
      <Text c="dimmed">{words.nothingMatchesWhy}</Text>
      <Button variant="default" onClick={reset}>
        {words.filters.reset}
      </Button>
    </Empty>
  );
}
