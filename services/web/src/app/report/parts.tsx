import type { CallEvidence, CallTrackers } from '@call-analytics/contracts';
import { Anchor, Badge, Card, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callPartQuery } from '../api/queries.ts';
import { bandOf, shownDay, shownLength, startOfDay } from '../common/format.ts';
import { SearchIcon, SpeechIcon } from '../common/icons.tsx';
import { Note } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import classes from './report.module.css';

export type Words = Omit<NonNullable<CallEvidence['objections'][number]['words']>, 'speaker'>;
/** Shows words in the transcript. */
export type Show = (words: Words) => void;

const words = texts.report;

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
  const { data } = useQuery(callPartQuery(callId, 'scorecard'));
  return (
    <div className={classes.noScore}>
      <Text fw={600}>{words.noScore}</Text>
      <Text size="xs" c="dimmed">
        {data?.notScored?.message}
      </Text>
    </div>
  );
}

/** What was agreed to happen after the call: who does what, and when. */
export function ActionItems({ items, show }: { items: CallEvidence['nextSteps']; show: Show }) {
  return (
    <ul className={classes.points}>
      {items.map(({ who, what, when, day, words: said }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same, and they never change places.
        <li key={index}>
          {who !== null && <b>{words.actionItems.who[who]}: </b>}
          {said?.quote.includes(what) ? `“${what}”` : what} <ShowWords words={said} show={show} />
          <Note>
            {[what.includes(when ?? '') ? null : when, day && shownDay(startOfDay(day))].filter(Boolean).join(' · ')}
          </Note>
        </li>
      ))}
    </ul>
  );
}

interface PointsProps {
  icon: ReactNode;
  title: string;
  /** Their number, where it is shown. */
  count?: number;
  below?: ReactNode;
  children: ReactNode;
}

/** A list of points under a title of its own. */
export function Points({ icon, title, count, below, children }: PointsProps) {
  return (
    <Card component="section">
      <Group gap={10} mb="sm" className={classes.findingsHead}>
        {icon}
        <Title order={2}>{title}</Title>
        {count !== undefined && (
          <Badge color="gray" circle={count < 10} size="lg" aria-hidden="true">
            {count}
          </Badge>
        )}
      </Group>
      <ul className={classes.points}>{children}</ul>
      {below}
    </Card>
  );
}

const questionWords = words.customerQuestions;

/** The customer's questions of substance, with the answer where one is certain; nothing if there are none. */
export function CustomerQuestions({ questions, show }: { questions: CallEvidence['customerQuestions']; show: Show }) {
  if (questions.length === 0) return null;
  return (
    <Points icon={<SpeechIcon />} title={questionWords.title}>
      {questions.map(({ words: said, answered, answer }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be the same, and they never change places.
        <li key={index}>
          “{said?.quote}” <ShowWords words={said} show={show} />
          {answered !== null && (
            <Text size="sm" c="dimmed">
              {answer === null ? questionWords.unanswered : questionWords.answer(answer.quote)}{' '}
              <ShowWords words={answer} show={show} />
            </Text>
          )}
        </li>
      ))}
    </Points>
  );
}

const trackerWords = texts.report.trackers;
/** Further places are found with the search of the transcript. */
const MAX_SHOWN = 10;

/** What the account's trackers find in a call, each place with a way to it; nothing if they find nothing. */
export function TrackersFound({ callId, show }: { callId: string; show: Show }) {
  const { data } = useQuery(callPartQuery(callId, 'trackers'));
  const shown = data?.trackers.filter(({ result }) => result === 'found' || result === 'missing') ?? [];
  const notJudged = data?.trackers.filter(({ result, kind }) => result === 'not_judged' && kind === 'required') ?? [];
  if (shown.length === 0 && notJudged.length === 0) return null;
  return (
    <Points
      icon={<SearchIcon />}
      title={trackerWords.title}
      below={
        notJudged.length > 0 && (
          <Note mt={shown.length > 0 ? 'sm' : 0}>
            {trackerWords.notJudged(notJudged.map(({ tracker }) => tracker))}
          </Note>
        )
      }
    >
      {shown.map((tracker) => (
        <li key={tracker.tracker}>
          <Found tracker={tracker} show={show} />
        </li>
      ))}
    </Points>
  );
}

function Found({ tracker, show }: { tracker: CallTrackers['trackers'][number]; show: Show }) {
  const { tracker: name, who, result, hits } = tracker;
  if (result === 'missing')
    return (
      <>
        <b>
          <bdi>{name}</bdi>
        </b>
        : {trackerWords.missing[who]}
      </>
    );
  const further = hits.length - MAX_SHOWN;
  return (
    <>
      <b>
        <bdi>{name}</bdi>
      </b>
      :{' '}
      {hits.slice(0, MAX_SHOWN).map((hit, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two hits may be the same, and they never change places.
        <span key={index}>
          {index > 0 && ', '}
          <span>{trackerWords.said(hit.quote, hit.speaker)}</span> <ShowWords words={hit} show={show} />
        </span>
      ))}
      {further > 0 && ` ${trackerWords.further(further)}`}
    </>
  );
}

/** A way to the words that something rests on. */
export function ShowWords({ words: found, show }: { words: Words | null; show: Show | undefined }) {
  if (found === null || show === undefined) return null;
  const time = shownLength(found.start);
  return (
    <Anchor component="button" size="sm" className={classes.evidence} onClick={() => show(found)}>
      <span aria-hidden="true">{time}</span>
      <VisuallyHidden>{words.showWords(time)}</VisuallyHidden>
    </Anchor>
  );
}
