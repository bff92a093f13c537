import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { answered, api } from '../api/client.ts';
import { keys, usePolling } from '../api/queries.ts';
import { lazyMenu } from '../chunks/chunk.tsx';
import { shownDay, startOfDay } from '../common/format.ts';
import { Empty, IgnoredNotice, Loaded, Page } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import { Figures } from './figures.tsx';
import { PRESETS, type Preset, type Range, rangeAddress, rangeOf, readRange } from './range.ts';

const words = texts.overview;
const OwnDays = lazyMenu(async () => (await import('./own-days.tsx')).OwnDays);

/** How often to refetch while trackers search calls. */
const SEARCHING_MS = 2_000;

/** The figures of the calls of some days. The address holds the days. */
export function OverviewPage() {
  const { range, ignored } = readRange(useSearch({ strict: false }));
  const navigate = useNavigate({ from: '/overview' });
  const interval = usePolling(true);
  const found = useQuery({
    queryKey: [...keys.overview, range.from, range.to],
    queryFn: ({ signal }) =>
      answered(api.GET('/app/overview', { params: { query: { from: range.from, to: range.to, timeZone } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.trackers.pending ?? 0) > 0 ? SEARCHING_MS : interval),
  });
  const show = (next: Range) => void navigate({ search: rangeAddress(next), resetScroll: false });
  return (
    <Page title={words.title} actions={<RangeChoice range={range} onChange={show} />}>
      <IgnoredNotice ignored={ignored} />
      <Loaded of={found} heights={[110, 300, 240]}>
        {(overview) =>
          overview.days.every(({ calls }) => calls === 0) ? (
            <NothingYet />
          ) : (
            <Figures overview={overview} isOutdated={found.isPlaceholderData} />
          )
        }
      </Loaded>
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

/** Chooses the days: a preset that ends today, or any range. */
function RangeChoice({ range, onChange }: { range: Range; onChange(range: Range): void }) {
  return (
    <Group gap="xs">
      <SegmentedControl
        aria-label={words.range}
        value={range.preset ?? ''}
        onChange={(value) => onChange(rangeOf(value as Preset))}
        data={(Object.keys(PRESETS) as Preset[]).map((value) => ({ value, label: words.presets[value] }))}
      />
      <OwnDays
        range={range}
        choose={onChange}
        button={
          <Button variant={range.preset === null ? 'light' : 'default'} aria-haspopup="dialog">
            {range.preset === null
              ? `${shownDay(startOfDay(range.from))} – ${shownDay(startOfDay(range.to))}`
              : words.own}
          </Button>
        }
      />
    </Group>
  );
}
