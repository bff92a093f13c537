import type { CallDetail } from '@call-analytics/contracts';
import { Card, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ArrowIcon, BulbIcon, FlagIcon, SlipIcon, SpeechIcon, ThumbUpIcon } from '../calls/icons.tsx';
import { texts } from '../texts/texts.ts';
import { Facts } from './facts.tsx';
import { Findings } from './findings.tsx';
import { Gauge } from './gauge.tsx';
import { NoScore } from './no-score.tsx';
import classes from './report.module.css';
import { Sections } from './sections.tsx';
import { Transcript } from './transcript.tsx';

const words = texts.report;

/** A finished call: what was found on one side, what was said on the other. On a phone one of them is shown at a time; on paper both are. */
export function Report({ call }: { call: CallDetail }) {
  const [side, setSide] = useState<string>('report');
  return (
    <Stack gap="md">
      <Card className={classes.head}>
        {call.score === null ? <NoScore callId={call.id} /> : <Gauge score={call.score} />}
        <Facts call={call} />
      </Card>
      <SegmentedControl
        className={classes.sides}
        fullWidth
        aria-label={words.view}
        value={side}
        onChange={setSide}
        data={[
          { value: 'report', label: words.report },
          { value: 'transcript', label: words.transcript },
        ]}
      />
      <div className={classes.columns} data-side={side}>
        <div className={classes.found}>
          <Prose call={call} />
          <Findings icon={<BulbIcon />} title={words.recommendations} points={call.recommendations} />
          <Findings icon={<ThumbUpIcon />} title={words.positives} points={call.positives} />
          <Findings icon={<SpeechIcon />} title={words.objections} points={call.objections} />
          <Findings icon={<SlipIcon />} title={words.managerMistakes} points={call.managerMistakes} />
          <Findings icon={<FlagIcon />} title={words.issues} points={call.issues} />
          <Sections sections={call.detailedReport} />
        </div>
        <div className={classes.said}>
          <Transcript transcript={call.transcript} />
        </div>
      </div>
    </Stack>
  );
}

function Prose({ call: { summary, customerIntent, nextStep } }: { call: CallDetail }) {
  if (!summary && !customerIntent && !nextStep) return null;
  return (
    <Card>
      <Stack gap="lg">
        {summary && (
          <section>
            <Title order={2} mb={6}>
              {words.summary}
            </Title>
            <Text className={classes.prose}>{summary}</Text>
          </section>
        )}
        {customerIntent && (
          <section>
            <Title order={3} mb={4}>
              {words.customerIntent}
            </Title>
            <Text className={classes.prose}>{customerIntent}</Text>
          </section>
        )}
        {nextStep && (
          <section className={classes.next}>
            <ArrowIcon />
            <div>
              <Title order={3} mb={2}>
                {words.nextStep}
              </Title>
              <Text className={classes.prose}>{nextStep}</Text>
            </div>
          </section>
        )}
      </Stack>
    </Card>
  );
}
