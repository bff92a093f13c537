import { Button, CloseButton, NativeSelect, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { CloseIcon, FilterIcon, SearchIcon } from '../common/icons.tsx';
import { texts } from '../texts/index.ts';
import { isFiltered, type ListView, readAddress, SALE_STATUSES, STATUSES } from './address.ts';
import classes from './calls.module.css';

const words = texts.calls.filters;
const TYPING_MS = 250;
const ANY = 'any';

/** Search and filters. On a phone the filters open on demand. */
export function Filters({
  view,
  onChange,
  withSort,
}: {
  view: ListView;
  onChange(view: ListView): void;
  withSort: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const change = (changed: Partial<ListView>) => onChange({ ...view, ...changed, page: 1 });
  return (
    <search aria-label={words.label} className={classes.filters}>
      <SearchText text={view.text ?? ''} onChange={(text) => change({ text: text || undefined })} />
      <Button
        className={classes.toggle}
        variant={isFiltered(view) ? 'light' : 'default'}
        leftSection={<FilterIcon size={18} />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {words.show}
      </Button>
      {view.tracker !== undefined && (
        <Button
          variant="light"
          maw="100%"
          rightSection={<CloseIcon size={16} />}
          aria-label={words.removeTracker(words.tracker[view.trackerResult ?? 'found'](view.tracker))}
          onClick={() => change({ tracker: undefined, trackerResult: undefined })}
        >
          {words.tracker[view.trackerResult ?? 'found'](view.tracker)}
        </Button>
      )}
      <div className={classes.more} data-open={isOpen || undefined}>
        <NativeSelect
          aria-label={words.status}
          className={classes.choice}
          value={view.status ?? ANY}
          onChange={({ currentTarget: { value } }) => change({ status: STATUSES.find((each) => each === value) })}
          data={[
            { value: ANY, label: words.anyStatus },
            ...STATUSES.map((value) => ({ value, label: texts.calls.statuses[value] })),
          ]}
        />
        <NativeSelect
          aria-label={words.sale}
          className={classes.choice}
          value={view.sale ?? ANY}
          onChange={({ currentTarget: { value } }) => change({ sale: SALE_STATUSES.find((each) => each === value) })}
          data={[
            { value: ANY, label: words.anySale },
            ...SALE_STATUSES.map((value) => ({ value, label: texts.calls.saleStatuses[value] })),
          ]}
        />
        <Day label={words.from} day={view.from} max={view.to} onChange={(from) => change({ from })} />
        <Day label={words.to} day={view.to} min={view.from} onChange={(to) => change({ to })} />
        {withSort && (
          <NativeSelect
            aria-label={words.sort}
            className={classes.sortChoice}
            value={`${view.sort}.${view.order}`}
            onChange={({ currentTarget: { value } }) => {
              const [sort, order] = value.split('.');
              const { view: read } = readAddress({ sort, order });
              change({ sort: read.sort, order: read.order });
            }}
            data={Object.entries(words.sorts).map(([value, label]) => ({ value, label }))}
          />
        )}
        {isFiltered(view) && (
          <Button variant="subtle" onClick={() => onChange({ sort: view.sort, order: view.order, page: 1 })}>
            {words.reset}
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
      aria-label={words.text}
      placeholder={words.text}
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
