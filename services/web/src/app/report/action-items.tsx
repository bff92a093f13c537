import type { CallEvidence } from '@call-analytics/contracts';
import { Card, Group, Text, Title } from '@mantine/core';
import { shownDay, startOfDay } from '../common/format.ts';
import { SpeechIcon } from '../common/icons.tsx';
import { texts } from '../texts/index.ts';
import classes from './report.module.css';
import { ShowWords, type Words } from './report.tsx';

const words = texts.report;
type Show = (words: Words) => void;

/** What was agreed to happen after the call: who does what, and when. */
export function ActionItems({ items, show }: { items: CallEvidence['nextSteps']; show: Show }) {
  return (
    <ul className={classes.points}>
      {items.map(({ who, what, when, day, words: said }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same, and they never change places.
        <li key={index}>
          {who !== null && <b>{words.actionItems.who[who]}: </b>}
          {said?.quote.includes(what) ? `“${what}”` : what} <ShowWords words={said} show={show} />
          <Text size="sm" c="dimmed">
            {[what.includes(when ?? '') ? null : when, day && shownDay(startOfDay(day))].filter(Boolean).join(' · ')}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** The customer's questions of substance, with the answer where one is certain; nothing if there are none. */
export function CustomerQuestions({ questions, show }: { questions: CallEvidence['customerQuestions']; show: Show }) {
  if (questions.length === 0) return null;
  return (
    <Card component="section">
      <Group gap={10} mb="sm" className={classes.findingsHead}>
        <SpeechIcon />
        <Title order={2}>{words.customerQuestions.title}</Title>
      </Group>
      <ul className={classes.points}>
        {questions.map(({ words: said, answered, answer }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be the same, and they never change places.
          <li key={index}>
            “{said?.quote}” <ShowWords words={said} show={show} />
            {answered !== null && (
              <Text size="sm" c="dimmed">
                {answer === null ? words.customerQuestions.unanswered : words.customerQuestions.answer(answer.quote)}{' '}
                <ShowWords words={answer} show={show} />
              </Text>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
