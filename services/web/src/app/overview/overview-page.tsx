import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { answered, api } from '../api/client.ts';
import { usePolling } from '../api/live.ts';
import { keys } from '../api/queries.ts';
import { IgnoredNotice } from '../calls/ignored-notice.tsx';
import { Empty } from '../common/empty.tsx';
import { Failed } from '../common/failed.tsx';
import { Page } from '../common/page.tsx';
import { texts } from '../texts/texts.ts';
import { Figures } from './figures.tsx';
import { type Range, rangeAddress, readRange } from './range.ts';
import { RangeChoice } from './range-choice.tsx';

const words = texts.overview;

/** What the calls of some days amount to. The days stand in the address. */
export function OverviewPage() {
  const { range, ignored } = readRange(useSearch({ strict: false }));
  const navigate = useNavigate({ from: '/overview' });
  const found = useQuery({
    queryKey: [...keys.overview, range.from, range.to],
    queryFn: ({ signal }) =>
      answered(api.GET('/app/overview', { params: { query: { from: range.from, to: range.to, timeZone } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: usePolling(true),
  });
  const show = (next: Range) => void navigate({ search: rangeAddress(next), resetScroll: false });
  return (
    <Page title={words.title} actions={<RangeChoice range={range} onChange={show} />}>
      <IgnoredNotice ignored={ignored} />
      {found.data !== undefined ? (
        found.data.days.every(({ calls }) => calls === 0) ? (
          <NothingYet />
        ) : (
          <Figures overview={found.data} isOutdated={found.isPlaceholderData} />
        )
      ) : found.isError ? (
        <Failed error={found.error} retry={() => void found.refetch()} />
      ) : (
        <Waiting />
      )}
    </Page>
  );
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

function NothingYet() {
  return (
    <Empty title={words.noneYet}>
      <Text c="dimmed">{words.noneYetWhy}</Text>
      <Button renderRoot={(props) => <Link to="/calls" {...props} />}>{words.upload}</Button>
    </Empty>
  );
}

function Waiting() {
  return (
    <Stack gap="md" role="status" aria-label={texts.common.loading}>
      <Skeleton height={110} radius="lg" />
      <Skeleton height={300} radius="lg" />
      <Skeleton height={240} radius="lg" />
    </Stack>
  );
}
