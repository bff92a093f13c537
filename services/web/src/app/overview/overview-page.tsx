import type { Overview } from '@call-analytics/contracts';
import { Button, Card, Group, SegmentedControl, Skeleton, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answered, api } from '../api/client.ts';
import { keys, usePolling } from '../api/queries.ts';
import { lazyMenu, lazyPart } from '../chunks/chunk.tsx';
import { bandOf, shownDay, startOfDay } from '../common/format.ts';
import { SaleIcon } from '../common/icons.tsx';
import { Empty, IgnoredNotice, Loaded, Note, Page } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import classes from './overview.module.css';
import { buckets, PRESETS, type Preset, type Range, rangeAddress, rangeOf, readRange, sum } from './range.ts';

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

// The chart library is a third of all scripts. It is loaded when there is something to draw.
const TrackersTable = lazyPart(async () => (await import('./tables.tsx')).TrackersTable);
const CallsTable = lazyPart(async () => (await import('./tables.tsx')).CallsTable);
const ScoreTable = lazyPart(async () => (await import('./tables.tsx')).ScoreTable);
const CallsChart = lazyPart(async () => (await import('./charts.tsx')).CallsChart, {
  instead: <Skeleton height={260} />,
});
const ScoreChart = lazyPart(async () => (await import('./charts.tsx')).ScoreChart, {
  instead: <Skeleton height={220} />,
});
const OUTCOMES = ['sold', 'follow_up', 'not_sold', 'unclear'] as const;

/** The figures of days with calls. */
function Figures({ overview, isOutdated }: { overview: Overview; isOutdated: boolean }) {
  const { days, averageScore, notScored, saleStatuses, objections, mistakes, products, examined, reviewed } = overview;
  const bars = buckets(days);
  const outcomes = OUTCOMES.map((status) => ({ status, calls: saleStatuses[status] ?? 0 }));
  const judged = outcomes.reduce((total, { calls }) => total + calls, 0);
  return (
    <div className={classes.figures} aria-busy={isOutdated} style={isOutdated ? { opacity: 0.6 } : undefined}>
      <Card className={classes.totals}>
        <Total name={words.uploaded} value={sum(days, 'calls').toLocaleString('en')} />
        <Total name={words.completed} value={sum(days, 'completed').toLocaleString('en')} />
        <Total name={words.failed} value={sum(days, 'failed').toLocaleString('en')} />
        <Total
          name={words.averageScore}
          value={averageScore === null ? words.noScore : Math.round(averageScore).toString()}
          note={averageScore === null ? undefined : `${words.of100}, ${texts.report.bands[bandOf(averageScore)]}`}
        />
        {notScored > 0 && (
          <Total name={words.notScored} value={notScored.toLocaleString('en')} note={words.notScoredWhy} />
        )}
        {reviewed.answers > 0 && (
          <Total
            name={words.agreement}
            value={words.share(Math.round((100 * reviewed.stood) / reviewed.answers))}
            note={words.agreementOf(reviewed.stood, reviewed.answers)}
          />
        )}
      </Card>
      <Panel wide title={bars.by === 'day' ? words.perDay : words.perWeek} table={<CallsTable {...bars} />}>
        <CallsChart {...bars} />
      </Panel>
      <Panel
        wide
        title={words.overTime}
        table={<ScoreTable days={days} />}
        isEmpty={averageScore === null}
        empty={words.noScores}
      >
        <ScoreChart days={days} />
      </Panel>
      {overview.trackers.trackers.length > 0 && (
        <Panel
          wide
          title={words.trackers.title}
          {...(overview.trackers.pending > 0 && { note: words.trackers.pending(overview.trackers.pending) })}
        >
          <TrackersTable overview={overview} />
        </Panel>
      )}
      <Panel title={words.saleStatuses} isEmpty={judged === 0} empty={words.noOutcomes}>
        <Ranking
          entries={outcomes.map(({ status, calls }) => ({
            name: texts.calls.saleStatuses[status],
            icon: <SaleIcon status={status} size={16} />,
            calls,
          }))}
          of={judged}
        />
      </Panel>
      <Panel title={words.products} isEmpty={products.length === 0} empty={words.noProducts}>
        <Ranking entries={products.map(({ product, calls }) => ({ name: product, calls }))} />
      </Panel>
      <Panel
        title={words.objections}
        note={words.examined(examined)}
        isEmpty={objections.length === 0}
        empty={words.noObjections}
      >
        <Ranking entries={objections.map(({ text, calls }) => ({ name: text, calls }))} />
      </Panel>
      <Panel
        title={words.mistakes}
        note={words.examined(examined)}
        isEmpty={mistakes.length === 0}
        empty={words.noMistakes}
      >
        <Ranking entries={mistakes.map(({ text, calls }) => ({ name: text, calls }))} />
      </Panel>
    </div>
  );
}

function Total({ name, value, note }: { name: string; value: string; note?: string | undefined }) {
  return (
    <div>
      <Note fw={550}>{name}</Note>
      <Text className={classes.total}>{value}</Text>
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </div>
  );
}

interface PanelProps {
  title: string;
  note?: string;
  /** Takes the whole width. */
  wide?: boolean;
  /** The numbers of the chart, for readers who do not see it. */
  table?: ReactNode;
  isEmpty?: boolean;
  empty?: string;
  children: ReactNode;
}

function Panel({ title, note, wide = false, table, isEmpty = false, empty, children }: PanelProps) {
  return (
    <Card component="section" className={classes.panel} data-wide={wide || undefined}>
      <Title order={2}>{title}</Title>
      {note !== undefined && !isEmpty && <Note>{note}</Note>}
      <div className={classes.panelBody}>{isEmpty ? <Text c="dimmed">{empty}</Text> : children}</div>
      {table !== undefined && !isEmpty && (
        <details className={classes.details}>
          <summary>{texts.overview.asTable}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
          <section className={classes.tableFrame} tabIndex={0} aria-label={title}>
            {table}
          </section>
        </details>
      )}
    </Card>
  );
}

interface Entry {
  name: string;
  calls: number;
  icon?: ReactNode;
}

/** Names with the number of calls of each, as numbers and bars. @param of the total for shares */
function Ranking({ entries, of }: { entries: readonly Entry[]; of?: number }) {
  const most = Math.max(1, ...entries.map(({ calls }) => calls));
  return (
    <ol className={classes.ranking}>
      {entries.map(({ name, calls, icon }) => (
        <li key={name}>
          <span className={classes.rankName}>
            {icon}
            <bdi>{name}</bdi>
          </span>
          <span className={classes.rankValue}>
            {texts.overview.calls(calls)}
            {of !== undefined && (
              <span className={classes.share}>{texts.overview.share(Math.round((calls / of) * 100))}</span>
            )}
          </span>
          <span className={classes.rankBar} aria-hidden="true">
            <span style={{ width: `${(calls / (of ?? most)) * 100}%` }} />
          </span>
        </li>
      ))}
    </ol>
  );
}
