import { audioFile } from '@call-analytics/stand-in/recordings';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type LabeledSpeech, linkable, linkLabels } from './link.ts';
import { decoded, heard, inOneChannel, sumOf, threePeople } from './recordings.fixture.ts';
import type { Speech } from './speech.ts';

const { path, turns } = audioFile('bundled-call.mp3');
const personOf = (turn: (typeof turns)[number], index: number, third = false) =>
  turn.channel === 'left'
    ? 0
    : third && customerTurns.indexOf(turns[index] as (typeof turns)[number]) % 3 === 1
      ? 2
      : 1;
const customerTurns = turns.filter(({ channel }) => channel === 'right');

/** Labels as an engine gives them that gets so many turns in a request, and the person of each. */
function labeled(size: number, third = false): { labels: LabeledSpeech[]; people: number[] } {
  const labels: LabeledSpeech[] = [];
  const people: number[] = [];
  for (let from = 0; from < turns.length; from += size) {
    const request = turns
      .slice(from, from + size)
      .map((turn, at) => ({ turn, person: personOf(turn, from + at, third) }));
    for (const [person, own] of Map.groupBy(request, (each) => each.person)) {
      people.push(person);
      labels.push({
        request: String(from),
        stretches: own.map(({ turn: { startMs, endMs } }) => ({ startMs, endMs })),
      });
    }
  }
  return { labels, people };
}

/** Numbered in the order in which they come. */
const partition = (people: readonly number[] = []) => people.map((person) => [...new Set(people)].indexOf(person));

describe('labels of several requests', () => {
  let channels: Int16Array[];
  let speech: Speech;
  beforeAll(async () => {
    channels = await decoded(path);
    speech = linkable(heard(inOneChannel(channels)));
  });

  it.each([3, 5, 8, 24])('of %i turns each are linked by the voices', (size) => {
    const { labels, people } = labeled(size);
    const linked = linkLabels(speech, labels);
    expect(partition(linked?.speakers)).toEqual(partition(people));
    expect(linked?.confidence).toBeGreaterThan(0.9);
  });

  it('of three people are linked', () => {
    const { labels, people } = labeled(8, true);
    const linked = linkLabels(linkable(heard(sumOf(threePeople(channels, turns)))), labels);
    expect(partition(linked?.speakers)).toEqual(partition(people));
    expect(linked?.confidence).toBeGreaterThan(0.9);
  });

  it.each([4, 24])('are surely nobody where each of %i turns is parted among two labels', (size) => {
    const mixed = turns.flatMap(({ startMs, endMs }, at) => {
      const middle = (startMs + endMs) / 2;
      const request = String(at - (at % size));
      const [one, other] = at % 4 < 2 ? ['A', 'B'] : ['B', 'A'];
      return [
        { request, label: one, startMs, endMs: middle },
        { request, label: other, startMs: middle, endMs },
      ];
    });
    const labels = [...Map.groupBy(mixed, ({ request, label }) => `${request} ${label}`).values()].map((stretches) => ({
      request: stretches[0]?.request ?? '',
      stretches,
    }));
    expect(linkLabels(speech, labels)?.confidence).toBeLessThan(0.4);
  });

  it('cannot be linked where no request has two', () => {
    expect(linkLabels(speech, labeled(1).labels)).toBeNull();
    expect(linkLabels(speech, [])).toBeNull();
  });
});
