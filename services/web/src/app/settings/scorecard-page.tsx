import type { ScorecardCheck, ScorecardQuestion, TrackerSpeaker } from '@call-analytics/contracts';
import { SCORECARD_CHECKS } from '@call-analytics/contracts/scorecard-checks';
import {
  Button,
  Card,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  NumberInput,
  Skeleton,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answered, api, ProblemError } from '../api/client.ts';
import { keys, queryClient } from '../api/queries.ts';
import { PlusIcon } from '../common/icons.tsx';
import { notify } from '../common/notices.tsx';
import { Empty, Failed, FormError, Row, Rows } from '../common/page.tsx';
import { scorecard as words } from '../texts/en/scorecard.ts';
import { texts } from '../texts/index.ts';
import { Confirm, Section, withEntry } from './settings-page.tsx';

const { common } = texts;
const WHO = ['manager', 'customer', 'anyone'] as const satisfies readonly TrackerSpeaker[];
const CHECKS = Object.keys(SCORECARD_CHECKS) as ScorecardCheck[];
const NEW: ScorecardQuestion = { question: '', who: 'manager', weight: 10 };

export function ScorecardPage() {
  const { data, error, refetch } = useQuery({
    queryKey: keys.scorecard,
    queryFn: ({ signal }) => answered(api.GET('/api/v1/scorecard', { signal })),
  });
  const [edited, setEdited] = useState<ScorecardQuestion | null>(null);
  const [deleted, setDeleted] = useState<ScorecardQuestion | null>(null);
  const [isReset, setReset] = useState(false);
  const questions = data?.questions ?? [];
  const add = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => setEdited(NEW)}>
      {words.add}
    </Button>
  );
  return (
    <Section title={words.title} lead={words.lead} action={questions.length > 0 && add}>
      {data === undefined && error === null && <Skeleton h={160} radius="lg" />}
      {data === undefined && error !== null && <Failed error={error} retry={() => void refetch()} />}
      {data !== undefined && questions.length === 0 && (
        <Card>
          <Empty title={words.none}>
            <span>{words.noneWhy}</span>
            {add}
          </Empty>
        </Card>
      )}
      {data !== undefined && questions.length > 0 && (
        <>
          <Rows label={words.title}>
            {questions.map((each) => (
              <Row
                key={each.question}
                title={<bdi>{each.question}</bdi>}
                facts={words.facts(each.weight, each.who, each.autoFail === true)}
                actions={
                  <>
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={words.editOf(each.question)}
                      onClick={() => setEdited(each)}
                    >
                      {words.edit}
                    </Button>
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={words.deleteOf(each.question)}
                      onClick={() => setDeleted(each)}
                    >
                      {words.delete}
                    </Button>
                  </>
                }
              />
            ))}
          </Rows>
          <Group justify="space-between" mt="md">
            <Text size="sm" c="dimmed">
              {words.version(data.version)}
            </Text>
            <Button variant="default" onClick={() => setReset(true)}>
              {words.reset}
            </Button>
          </Group>
        </>
      )}
      {edited !== null && <Edit question={edited} close={() => setEdited(null)} />}
      <Confirm
        opened={deleted !== null}
        title={words.deleteTitle}
        action={words.delete}
        act={() => (deleted === null ? Promise.resolve() : replace(deleted, null))}
        onClose={() => setDeleted(null)}
      >
        {words.deleteWhy}
      </Confirm>
      <Confirm
        opened={isReset}
        title={words.resetTitle}
        action={words.reset}
        act={() => save({ version: data?.version ?? 0, questions: [] })}
        onClose={() => setReset(false)}
      >
        {words.resetWhy}
      </Confirm>
    </Section>
  );
}

/** The form of a question. @param question NEW for one to be added */
function Edit({ question: before, close }: { question: ScorecardQuestion; close: () => void }) {
  const [check, setCheck] = useState(before.check);
  const [question, setQuestion] = useState(before.question);
  const [who, setWho] = useState<TrackerSpeaker>(before.who);
  const [weight, setWeight] = useState<number | string>(before.weight);
  const [autoFail, setAutoFail] = useState(before.autoFail === true);
  const asked = check === undefined ? { question: question.trim(), who } : { ...SCORECARD_CHECKS[check], check };
  const saving = useMutation({
    mutationFn: () => replace(before, { ...asked, weight: Number(weight), ...(autoFail && { autoFail }) }),
    onSuccess: () => {
      notify({ tone: 'success', message: words.saved });
      close();
    },
  });
  return (
    <Modal opened onClose={close} size="lg" title={before === NEW ? words.add : words.edit}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <Stack>
          <NativeSelect
            label={words.builtIn}
            description={words.builtInHint}
            value={check ?? ''}
            onChange={({ currentTarget: { value } }) => setCheck(CHECKS.find((id) => id === value))}
            data={[
              { value: '', label: words.ownWords },
              ...CHECKS.map((id) => ({ value: id, label: SCORECARD_CHECKS[id].question })),
            ]}
          />
          {check === undefined && (
            <>
              <Textarea
                label={words.question}
                description={words.questionHint}
                placeholder={words.questionExample}
                minLength={2}
                maxLength={200}
                required
                withAsterisk={false}
                autosize
                data-autofocus
                value={question}
                onChange={({ currentTarget: { value } }) => setQuestion(value.replaceAll(/\s/g, ' '))}
              />
              <NativeSelect
                label={words.who}
                value={who}
                onChange={({ currentTarget: { value } }) => setWho(WHO.find((each) => each === value) ?? 'manager')}
                data={WHO.map((value) => ({ value, label: words.speakers[value] }))}
              />
            </>
          )}
          <NumberInput
            label={words.weight}
            min={1}
            max={100}
            allowDecimal={false}
            required
            withAsterisk={false}
            value={weight}
            onChange={setWeight}
          />
          <Checkbox
            label={words.autoFail}
            checked={autoFail}
            onChange={({ currentTarget: { checked } }) => setAutoFail(checked)}
          />
          <FormError error={saving.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {common.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/**
 * Replaces a question in the latest scorecard, so that changes of other questions by other people stay.
 * @param before NEW adds a question
 * @param after null deletes it
 * @throws ProblemError when somebody else has changed this question, or a field breaks a rule
 */
async function replace(before: ScorecardQuestion, after: ScorecardQuestion | null): Promise<void> {
  const { version, questions } = await answered(api.GET('/api/v1/scorecard'));
  const changed = withEntry(questions, before === NEW ? null : before, after);
  if (changed === null) {
    await queryClient.invalidateQueries({ queryKey: keys.scorecard });
    throw new ProblemError({ code: 'revision_conflict', status: 409, detail: words.changed }, null);
  }
  await save({ version, questions: changed });
}

async function save(body: { version: number; questions: ScorecardQuestion[] }): Promise<void> {
  try {
    await answered(api.PUT('/api/v1/scorecard', { body }));
  } catch (error) {
    throw inWords(error);
  }
  await queryClient.invalidateQueries({ queryKey: keys.scorecard });
}

/** The error of a scorecard, for the form of one question: without the place of the question. */
function inWords(error: unknown): unknown {
  if (!(error instanceof ProblemError) || error.code !== 'invalid_body') return error;
  const [, field, rule] = /^"questions(?:\.\d+\.(\w+))?" (.*)$/.exec(error.message) ?? [];
  if (rule === undefined) return error;
  const detail = `${words.fields[field ?? ''] ?? words.title} ${rule}`;
  return new ProblemError({ code: error.code, status: error.status, detail }, null);
}
