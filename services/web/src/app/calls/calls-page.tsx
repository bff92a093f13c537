import { Anchor, Button, CloseButton, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { installationQuery, usePolling } from '../api/queries.ts';
import { CloseIcon, FilterIcon, SearchIcon, UploadIcon } from '../common/icons.tsx';
import { Empty, IgnoredNotice, Loaded, Note, Page } from '../common/page.tsx';
import { texts } from '../texts/index.ts';
import { addressOf, isFiltered, type ListView, readAddress, SALE_STATUSES, STATUSES, searchOf } from './address.ts';
import classes from './calls.module.css';
import { CallsList } from './calls-list.tsx';
import { listQuery } from './requests.ts';
import { shownBytes } from './upload/send.ts';
import { ChooseFiles, UploadChoices } from './upload/uploads.tsx';

/** The placeholder of the list. */
const ROWS = Array<number>(8).fill(56);

/** The list of calls. The address holds the search, the filters, the order and the page. */
export function CallsPage() {
  const { view, ignored } = readAddress(useSearch({ from: '/frame/inside/calls' }));
  const navigate = useNavigate({ from: '/calls' });
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const found = useQuery({ ...listQuery(searchOf(view)), refetchInterval: usePolling(true) });
  // Every change adds a history entry, except each typed letter.
  const show = (next: ListView) =>
    void navigate({
      search: addressOf(next),
      replace: next.text !== view.text && view.text !== undefined,
      resetScroll: next.page !== view.page,
    });
  const filtered = isFiltered(view);
  const isFirst = found.data !== undefined && found.data.total === 0 && !filtered && !found.isPlaceholderData;
  return (
    <Page title={texts.calls.title} actions={isFirst ? undefined : <UploadHere />}>
      <IgnoredNotice ignored={ignored} />
      {isFirst ? (
        <NoCalls />
      ) : (
        <Stack gap="md">
          <Filters view={view} onChange={show} withSort={isPhone} />
          <Loaded of={found} heights={ROWS}>
            {(page) =>
              page.total === 0 && filtered ? (
                <NothingMatches reset={() => show({ sort: view.sort, order: view.order, page: 1 })} />
              ) : (
                <CallsList
                  found={page}
                  view={view}
                  onChange={show}
                  asCards={isPhone}
                  isOutdated={found.isPlaceholderData}
                />
              )
            }
          </Loaded>
        </Stack>
      )}
    </Page>
  );
}

function UploadHere() {
  return (
    <div className={classes.uploadHere}>
      <UploadChoices />
      <ChooseFiles label={texts.calls.upload.upload} />
    </div>
  );
}

const words = texts.calls;

/** Shown to an account without calls: how to upload the first one. */
function NoCalls() {
  const { data: installation } = useQuery(installationQuery);
  const keysLink = <Anchor renderRoot={(props) => <Link to="/settings" {...props} />}>{words.emptyKeys}</Anchor>;
  return (
    <div className={classes.drop}>
      <Stack align="center" gap="md">
        <Text c="dimmed" lh={0} span>
          <UploadIcon size={44} />
        </Text>
        <Stack gap={6} align="center" maw={520}>
          <Title order={2}>{words.empty}</Title>
          <Text c="dimmed">{words.emptyHow}</Text>
        </Stack>
        <ChooseFiles size="md" />
        {installation !== undefined && (
          <Note>{words.upload.formats(installation.formats, shownBytes(installation.maxUploadBytes))}</Note>
        )}
        <Group justify="center">
          <UploadChoices />
        </Group>
        <Text size="sm" c="dimmed" mt="lg">
          {words.emptyApi} {keysLink} {words.emptyAnd}{' '}
          <Anchor href="/docs" target="_blank" rel="noopener">
            {words.emptyDocs}
          </Anchor>
          .
        </Text>
      </Stack>
    </div>
  );
}

function NothingMatches({ reset }: { reset(): void }) {
  return (
    <Empty title={words.nothingMatches}>
      <Text c="dimmed">{words.nothingMatchesWhy}</Text>
      <Button variant="default" onClick={reset}>
        {words.filters.reset}
      </Button>
    </Empty>
  );
}

const filterWords = texts.calls.filters;
const TYPING_MS = 250;
const ANY = 'any';

interface FiltersProps {
  view: ListView;
  onChange(view: ListView): void;
  withSort: boolean;
}

/** Search and filters. On a phone the filters open on demand. */
export function Filters({ view, onChange, withSort }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const change = (changed: Partial<ListView>) => onChange({ ...view, ...changed, page: 1 });
  return (
    <search aria-label={filterWords.label} className={classes.filters}>
      <SearchText text={view.text ?? ''} onChange={(text) => change({ text: text || undefined })} />
      <Button
        className={classes.toggle}
        variant={isFiltered(view) ? 'light' : 'default'}
        leftSection={<FilterIcon size={18} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {filterWords.show}
      </Button>
      {view.tracker !== undefined && (
        <Button
          variant="light"
          maw="100%"
          rightSection={<CloseIcon size={16} />}
          aria-label={filterWords.removeTracker(filterWords.tracker[view.trackerResult ?? 'found'](view.tracker))}
          onClick={() => change({ tracker: undefined, trackerResult: undefined })}
        >
          {filterWords.tracker[view.trackerResult ?? 'found'](view.tracker)}
        </Button>
      )}
      <div className={classes.more} data-open={isOpen || undefined}>
        <NativeSelect
          aria-label={filterWords.status}
          className={classes.choice}
          value={view.status ?? ANY}
          onChange={({ currentTarget: { value } }) => change({ status: STATUSES.find((each) => each === value) })}
          data={[
            { value: ANY, label: filterWords.anyStatus },
            ...STATUSES.map((value) => ({ value, label: texts.calls.statuses[value] })),
          ]}
        />
        <NativeSelect
          aria-label={filterWords.sale}
          className={classes.choice}
          value={view.sale ?? ANY}
          onChange={({ currentTarget: { value } }) => change({ sale: SALE_STATUSES.find((each) => each === value) })}
          data={[
            { value: ANY, label: filterWords.anySale },
            ...SALE_STATUSES.map((value) => ({ value, label: texts.calls.saleStatuses[value] })),
          ]}
        />
        <Day label={filterWords.from} day={view.from} max={view.to} onChange={(from) => change({ from })} />
        <Day label={filterWords.to} day={view.to} min={view.from} onChange={(to) => change({ to })} />
        {withSort && (
          <NativeSelect
            aria-label={filterWords.sort}
            className={classes.sortChoice}
            value={`${view.sort}.${view.order}`}
            onChange={({ currentTarget: { value } }) => {
              const [sort, order] = value.split('.');
              const { view: read } = readAddress({ sort, order });
              change({ sort: read.sort, order: read.order });
            }}
            data={Object.entries(filterWords.sorts).map(([value, label]) => ({ value, label }))}
          />
        )}
        {isFiltered(view) && (
          <Button variant="subtle" onClick={() => onChange({ sort: view.sort, order: view.order, page: 1 })}>
            {filterWords.reset}
          </Button>
        )}
      </div>
    </search>
  );
}

/** Searches when typing pauses. */
function SearchText({ text, onChange }: { text: string; onChange(text: string): void }) {
  const [typed, setTyped] = useState(text);
  // The address also changes by back, forward and reset.
  useEffect(() => setTyped(text), [text]);
  const later = useDebouncedCallback(onChange, TYPING_MS);
  return (
    <TextInput
      className={classes.filterText}
      aria-label={filterWords.text}
      placeholder={filterWords.text}
      leftSection={<SearchIcon size={18} />}
      maxLength={200}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        later(value.trim());
      }}
      rightSection={
        typed !== '' && (
          <CloseButton
            size="sm"
            aria-label={texts.report.clearSearch}
            onClick={() => {
              setTyped('');
              later('');
            }}
          />
        )
      }
    />
  );
}

interface DayProps {
  label: string;
  day: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChange(day: string | undefined): void;
}

/** The browser's own date field, which works with every keyboard and screen reader. */
function Day({ label, day, min, max, onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      leftSection={
        <Text size="xs" c="dimmed" aria-hidden="true">
          {label}
        </Text>
      }
      leftSectionWidth={48}
      className={classes.day}
      value={day ?? ''}
      min={min}
      max={max}
      onChange={({ currentTarget: { value } }) => onChange(value || undefined)}
    />
  );
}
