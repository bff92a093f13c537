import { Button, Popover, Stack, TextInput } from '@mantine/core';
import { cloneElement, type FormEvent, useState } from 'react';
import { useOpening, type WithButton } from '../chunks/chunk.tsx';
import { dayOf, daysBetween, isDay } from '../common/format.ts';
import { texts } from '../texts/index.ts';
import { MAX_DAYS, type Range } from './range.ts';

const words = texts.overview;

interface Choice {
  range: Range;
  choose(range: Range): void;
}

/** Chooses any days. */
export function OwnDays({ range, choose, button }: Choice & WithButton) {
  const { target, ...opening } = useOpening({ button });
  const { opened, onChange } = opening;
  return (
    <Popover {...opening} position="bottom-end" trapFocus shadow="md">
      <Popover.Target>{cloneElement(target, { onClick: () => onChange(!opened) })}</Popover.Target>
      <Popover.Dropdown>
        <DaysForm
          range={range}
          choose={(next) => {
            onChange(false);
            choose(next);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function DaysForm({ range, choose }: Choice) {
  const [from, setFrom] = useState(range.from);
  const [to, setTo] = useState(range.to);
  const isPossible = isDay(from) && isDay(to) && from <= to && daysBetween(from, to) <= MAX_DAYS;
  const today = dayOf(new Date());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPossible) choose({ preset: null, from, to });
  };
  return (
    <form onSubmit={submit}>
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
