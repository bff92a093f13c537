import type { Overview } from '@call-analytics/contracts';
import { Card, Skeleton, Text } from '@mantine/core';
import { SaleIcon } from '../calls/icons.tsx';
import { lazyPart } from '../chunks/chunk.tsx';
import { bandOf } from '../report/bands.ts';
import { texts } from '../texts/texts.ts';
import { buckets, sum } from './buckets.ts';
import classes from './overview.module.css';
import { Panel } from './panel.tsx';
import { Ranking } from './ranking.tsx';
import { CallsTable, ScoreTable } from './tables.tsx';

const words = texts.overview;
// Drawing is a third of all script: it comes when there is something to draw.
const CallsChart = lazyPart(async () => (await import('./charts.tsx')).CallsChart, {
  instead: <Skeleton height={260} />,
});
const ScoreChart = lazyPart(async () => (await import('./charts.tsx')).ScoreChart, {
  instead: <Skeleton height={220} />,
});
const OUTCOMES = ['sold', 'follow_up', 'not_sold', 'unclear'] as const;

/** Everything that the overview says of some days, which have calls. */
export function Figures({ overview, isOutdated }: { overview: Overview; isOutdated: boolean }) {
  const { days, averageScore, notScored, saleStatuses, objections, mistakes, products, examined } = overview;
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
      <Text size="sm" c="dimmed" fw={550}>
        {name}
      </Text>
      <Text className={classes.total}>{value}</Text>
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </div>
  );
}
