import { Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answered, api } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { bandOf } from '../common/format.ts';
import { texts } from '../texts/index.ts';
import classes from './report.module.css';

const words = texts.report;

export function scorecardQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.call(id), 'scorecard'],
    queryFn: ({ signal }) => answered(api.GET('/api/v1/calls/{id}/scorecard', { params: { path: { id } }, signal })),
  });
}

const RADIUS = 52;
/** Three quarters of a circle, open at the bottom. */
const LENGTH = 2 * Math.PI * RADIUS * 0.75;

/** A score as a number, a word and an arc. */
export function Gauge({ score }: { score: number }) {
  const band = bandOf(score);
  return (
    <div className={classes.gauge} role="img" aria-label={words.scoreOf(score, words.bands[band])}>
      <svg viewBox="0 0 128 128" width="132" height="132" aria-hidden="true">
        <g fill="none" strokeWidth="11" strokeLinecap="round" transform="rotate(135 64 64)">
          <circle cx="64" cy="64" r={RADIUS} className={classes.gaugeTrack} strokeDasharray={`${LENGTH} 999`} />
          {score > 0 && (
            <circle
              cx="64"
              cy="64"
              r={RADIUS}
              className={classes.gaugeArc}
              data-band={band}
              strokeDasharray={`${(LENGTH * score) / 100} 999`}
            />
          )}
        </g>
      </svg>
      <div className={classes.gaugeWords} aria-hidden="true">
        <span className={classes.gaugeScore}>{score}</span>
        <Text size="xs" c="dimmed" lh={1.2}>
          {words.of100}
        </Text>
      </div>
      <Text size="sm" fw={600} ta="center" mt={-18} tt="capitalize" aria-hidden="true">
        {words.bands[band]}
      </Text>
    </div>
  );
}

/** Shown in place of a score: why the call has none. */
export function NoScore({ callId }: { callId: string }) {
  const { data } = useQuery(scorecardQuery(callId));
  return (
    <div className={classes.noScore}>
      <Text fw={600}>{words.noScore}</Text>
      <Text size="xs" c="dimmed">
        {data?.notScored?.message}
      </Text>
    </div>
  );
}
