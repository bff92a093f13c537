import '@mantine/charts/styles.layer.css';
import type { Overview } from '@call-analytics/contracts';
import { BarChart, LineChart } from '@mantine/charts';
import { startOfDay } from '../common/format.ts';
import { LOCALE, texts } from '../texts/index.ts';
import classes from './overview.module.css';
import type { Bucket } from './range.ts';

// The charts of the overview. Each has a table with its numbers, so screen readers skip the chart.

const words = texts.overview;
const short = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const shown = (day: string) => short.format(startOfDay(day));

/** Charts take no focus and leave room at the right for half a label. */
const drawn = { accessibilityLayer: false, margin: { top: 16, right: 28 } };

/** The parts of a bar also differ in their patterns. */
const PATTERNS = { completed: 'url(#bar-completed)', inWork: 'url(#bar-in-work)', failed: 'url(#bar-failed)' };

export function CallsChart({ by, buckets }: { by: 'day' | 'week'; buckets: readonly Bucket[] }) {
  const total = (of: 'completed' | 'inWork' | 'failed') => buckets.reduce((all, bucket) => all + bucket[of], 0);
  const parts = (['completed', 'inWork', 'failed'] as const).filter((part) => part === 'completed' || total(part) > 0);
  return (
    <div aria-hidden="true">
      <ul className={classes.legend}>
        {parts.map((part) => (
          <li key={part}>
            <svg width="16" height="16" aria-hidden="true">
              <rect width="16" height="16" rx="3" fill={PATTERNS[part]} />
            </svg>
            {words[part]} <b>{total(part).toLocaleString(LOCALE)}</b>
          </li>
        ))}
      </ul>
      <BarChart
        h={240}
        data={buckets.map(({ from, ...counts }) => ({
          ...counts,
          from: by === 'day' ? shown(from) : `${words.week} ${shown(from)}`,
        }))}
        dataKey="from"
        type="stacked"
        series={parts.map((part) => ({ name: part, label: words[part], color: PATTERNS[part] }))}
        maxBarWidth={36}
        gridAxis="x"
        tickLine="none"
        yAxisProps={{ allowDecimals: false, width: 40 }}
        xAxisProps={{ minTickGap: 24, tickFormatter: (label: string) => label.replace(`${words.week} `, '') }}
        barProps={{ isAnimationActive: false }}
        barChartProps={drawn}
      >
        <Patterns />
      </BarChart>
    </div>
  );
}

function Patterns() {
  return (
    <defs>
      <pattern id="bar-completed" width="8" height="8" patternUnits="userSpaceOnUse">
        <rect width="8" height="8" className={classes.completed} />
      </pattern>
      <pattern id="bar-in-work" width="6" height="6" patternUnits="userSpaceOnUse">
        <rect width="6" height="6" className={classes.inWorkGround} />
        <circle cx="3" cy="3" r="1.4" className={classes.inWork} />
      </pattern>
      <pattern id="bar-failed" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="7" height="7" className={classes.failedGround} />
        <rect width="3.5" height="7" className={classes.failed} />
      </pattern>
    </defs>
  );
}

export function ScoreChart({ days }: { days: Overview['days'] }) {
  const scored = days.filter(({ averageScore }) => averageScore !== null).length;
  return (
    <div aria-hidden="true">
      <LineChart
        h={220}
        data={days.map(({ date, averageScore }) => ({
          date: shown(date),
          score: averageScore === null ? null : Math.round(averageScore),
        }))}
        dataKey="date"
        series={[{ name: 'score', label: words.score, color: 'ink.6' }]}
        curveType="linear"
        connectNulls
        gridAxis="x"
        tickLine="none"
        dotProps={{ r: days.length > 62 ? 2 : 4 }}
        // A few points are labeled. With many, the line is enough.
        withPointLabels={scored <= 14}
        yAxisProps={{ domain: [0, 100], ticks: [0, 25, 50, 75, 100], width: 40 }}
        xAxisProps={{ minTickGap: 24 }}
        lineProps={{ isAnimationActive: false }}
        lineChartProps={drawn}
      />
    </div>
  );
}
