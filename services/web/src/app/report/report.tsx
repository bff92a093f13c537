import type { CallDetail, CallEvidence, ReportSection } from '@call-analytics/contracts';
import { Button, Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answered, api } from '../api/client.ts';
import { callPartQuery, keys } from '../api/queries.ts';
import { CallState, SaleStatus } from '../calls/facts.tsx';
import { lazyPart } from '../chunks/chunk.tsx';
import { shownMoment } from '../common/format.ts';
import { ArrowIcon, BulbIcon, FlagIcon, SlipIcon, SpeechIcon, ThumbUpIcon } from '../common/icons.tsx';
import { texts } from '../texts/index.ts';
import {
  ActionItems,
  CustomerQuestions,
  Gauge,
  NoScore,
  Points,
  type Show,
  ShowWords,
  TrackersFound,
  type Words,
} from './parts.tsx';
import classes from './report.module.css';
import { NO_LANGUAGE, shownLanguage, shownSections } from './report-file.ts';
import { type ShownWords, Transcript } from './transcript.tsx';

const words = texts.report;
const Analyses = lazyPart(async () => (await import('./analyses.tsx')).Analyses);
const CorrectionsDialog = lazyPart(async () => (await import('./corrections.tsx')).CorrectionsDialog);
const ScorecardTable = lazyPart(async () => (await import('./analyses.tsx')).ScorecardTable);
const SpeakersDialog = lazyPart(async () => (await import('./corrections.tsx')).SpeakersDialog);

/** A completed call: findings beside the transcript. A phone shows one of them at a time, paper shows both. */
export function Report({ call }: { call: CallDetail }) {
  const [side, setSide] = useState<string>('report');
  const [shown, setShown] = useState<ShownWords | null>(null);
  const { data } = useQuery(callPartQuery(call.id, 'evidence'));
  const { data: misheard } = useQuery(misheardQuery(call.id));
  const show = ({ line, quote }: Words) => {
    setSide('transcript');
    setShown({ line, quote });
  };
  const evidence = (list: EvidenceList) => ({ evidence: data?.[list].map((finding) => finding.words) ?? [], show });
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
          <Prose call={call} items={data?.nextSteps ?? []} show={show} />
          <Findings icon={<BulbIcon />} title={words.recommendations} points={call.recommendations} />
          <Findings icon={<ThumbUpIcon />} title={words.positives} points={call.positives} {...evidence('positives')} />
          <Findings
            icon={<SpeechIcon />}
            title={words.objections}
            points={call.objections}
            {...evidence('objections')}
          />
          <Findings
            icon={<SlipIcon />}
            title={words.managerMistakes}
            points={call.managerMistakes}
            {...evidence('managerMistakes')}
          />
          <Findings icon={<FlagIcon />} title={words.issues} points={call.issues} {...evidence('issues')} />
          <CustomerQuestions questions={data?.customerQuestions ?? []} show={show} />
          <ScorecardTable callId={call.id} show={show} />
          <TrackersFound callId={call.id} show={show} />
          <Sections sections={shownSections(call)} />
          <Analyses callId={call.id} />
        </div>
        <div className={classes.said}>
          <Transcript
            transcript={call.transcript}
            shown={shown}
            {...(misheard && { misheard })}
            action={
              <Correct
                label={words.speakers.correct}
                dialog={(opened, close) => <SpeakersDialog callId={call.id} opened={opened} close={close} />}
              />
            }
          />
        </div>
      </div>
    </Stack>
  );
}

/** @param dialog what the button opens */
function Correct({ label, dialog }: { label: string; dialog: (opened: boolean, close: () => void) => ReactNode }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="compact-sm" variant="subtle" className={classes.correct} onClick={open}>
        {label}
      </Button>
      {dialog(opened, close)}
    </>
  );
}

/** Who has reviewed the report, and what they corrected; nothing when no one has. */
function Reviewed({ callId }: { callId: string }) {
  const { data } = useQuery(callPartQuery(callId, 'corrections'));
  return [...Map.groupBy(data?.corrections ?? [], ({ by }) => by)].map(([by, own]) => {
    const changed = own.filter(({ value, engine }) => JSON.stringify(value) !== JSON.stringify(engine));
    return (
      <Text key={by} size="sm" c="dimmed">
        {changed.length === 0
          ? words.corrections.confirmedBy(by)
          : words.corrections.correctedBy(
              by,
              changed.map(({ field }) => words.corrections[field]),
            )}
      </Text>
    );
  });
}

interface ProseProps {
  call: CallDetail;
  /** The next step one by one, where the report tells the steps apart. */
  items: CallEvidence['nextSteps'];
  show: Show;
}

function Prose({ call, items, show }: ProseProps) {
  const { summary, customerIntent, nextStep } = call;
  return (
    <Card>
      <Stack gap="lg">
        <section>
          <Group gap="md" mb={6}>
            <Title order={2}>{words.summary}</Title>
            <Correct
              label={words.corrections.correct}
              dialog={(opened, close) => <CorrectionsDialog call={call} opened={opened} close={close} />}
            />
          </Group>
          {summary && <Text className={classes.prose}>{summary}</Text>}
          <Reviewed callId={call.id} />
        </section>
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
                {items.length > 0 ? words.actionItems.title : words.nextStep}
              </Title>
              {items.length > 0 ? (
                <ActionItems items={items} show={show} />
              ) : (
                <Text className={classes.prose}>{nextStep}</Text>
              )}
            </div>
          </section>
        )}
      </Stack>
    </Card>
  );
}

/** The main facts of a call. */
export function Facts({ call: { status, score, saleStatus, product, language, createdAt } }: { call: CallDetail }) {
  return (
    <dl className={classes.facts}>
      <Fact name={words.status}>
        <CallState status={status} />
      </Fact>
      {score !== null && (
        <Fact name={words.outcome}>
          <SaleStatus status={saleStatus} />
        </Fact>
      )}
      {product !== '' && (
        <Fact name={words.product}>
          <bdi>{product}</bdi>
        </Fact>
      )}
      {language !== NO_LANGUAGE && <Fact name={words.language}>{shownLanguage(language)}</Fact>}
      <Fact name={words.uploaded}>
        <time dateTime={createdAt}>{shownMoment(createdAt)}</time>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type EvidenceList = 'positives' | 'issues' | 'objections' | 'managerMistakes';

function misheardQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.call(id), 'misheard'],
    queryFn: async ({ signal }) => {
      const path = { id };
      const { turns } = await answered(api.GET('/api/v1/calls/{id}/transcript', { params: { path }, signal }));
      return turns.map((turn) => turn.misheard ?? []);
    },
  });
}

interface FindingsProps {
  icon: ReactNode;
  title: string;
  points: readonly string[];
  /** The words of the call that each point rests on, in the order of the points. */
  evidence?: readonly (Words | null)[];
  show?: Show;
}

/** A list of findings, each with a way to its words; nothing if there are none. */
function Findings({ icon, title, points, evidence = [], show }: FindingsProps) {
  if (points.length === 0) return null;
  return (
    <Points icon={icon} title={title} count={points.length}>
      {points.map((point, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two findings may be the same, and they never change places.
        <li key={index}>
          {point} <ShowWords words={evidence[index] ?? null} show={show} />
        </li>
      ))}
    </Points>
  );
}

/** The sections of the report type. */
function Sections({ sections }: { sections: readonly ReportSection[] }) {
  if (sections.length === 0) return null;
  return (
    <Card component="section">
      <Title order={2} mb="md">
        {texts.report.sections}
      </Title>
      <Stack gap="xl">
        {sections.map(({ id, title, content, points }) => (
          <section key={id} className={classes.section}>
            <Title order={3} mb={6}>
              {title}
            </Title>
            {content !== '' && (
              <Text size="sm" className={classes.prose}>
                {content}
              </Text>
            )}
            {points.length > 0 && (
              <ul className={classes.points} data-small>
                {points.map((point, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: points can be equal and keep their places
                  <li key={index}>{point}</li>
                ))}
              </ul>
            )}
          </section>
        ))}
      </Stack>
    </Card>
  );
}
