import { Button, Group, Popover, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { shownDay } from '../common/dates.ts';
import { texts } from '../texts/texts.ts';
import { dayOf, daysBetween, isDay, startOfDay } from './days.ts';
import { MAX_DAYS, PRESETS, type Preset, type Range, rangeOf } from './range.ts';

const words = texts.overview;

/** Which days the overview is about: up to today, or any. */
export function RangeChoice({ range, onChange }: { range: Range; onChange(range: Range): void }) {
  const [isOpen, popover] = useDisclosure(false);
  return (
    <Group gap="xs">
      <SegmentedControl
        aria-label={words.range}
        value={range.preset ?? ''}
        onChange={(value) => onChange(rangeOf(value as Preset))}
        data={(Object.keys(PRESETS) as Preset[]).map((value) => ({ value, label: words.presets[value] }))}
      />
      <Popover
        opened={isOpen}
        onChange={popover.toggle}
        onDismiss={popover.close}
        position="bottom-end"
        trapFocus
        shadow="md"
      >
        <Popover.Target>
          <Button variant={range.preset === null ? 'light' : 'default'} onClick={popover.toggle}>
            {range.preset === null
              ? `${shownDay(startOfDay(range.from))} – ${shownDay(startOfDay(range.to))}`
              : words.own}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <OwnDays
            range={range}
            onChange={(next) => {
              popover.close();
              onChange(next);
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}

function OwnDays({ range, onChange }: { range: Range; onChange(range: Range): void }) {
  const [from, setFrom] = useState(range.from);
  const [to, setTo] = useState(range.to);
  const isPossible = isDay(from) && isDay(to) && from <= to && daysBetween(from, to) <= MAX_DAYS;
  const today = dayOf(new Date());
  const choose = (event: FormEvent) => {
    event.preventDefault();
    if (isPossible) onChange({ preset: null, from, to });
  };
  return (
    <form onSubmit={choose}>
      <Stack gap="sm" w={220}>
        <TextInput
          type="date"
          label={words.from}
          value={from}
          max={today}
          onChange={({ currentTarget: { value } }) => setFrom(value)}
        />
        <TextInput
          type="date"
          label={words.to}
          value={to}
          max={today}
          onChange={({ currentTarget: { value } }) => setTo(value)}
          error={isPossible ? undefined : words.tooLong}
        />
        <Button type="submit" disabled={!isPossible}>
          {words.show}
        </Button>
      </Stack>
    </form>
  );
}
