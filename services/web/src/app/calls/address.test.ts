import { CallSearch } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { addressOf, readAddress, searchOf } from './address.ts';

describe('the address of the list', () => {
  it('is empty for the list as it opens', () => {
    const { view, ignored } = readAddress({});
    expect(view).toEqual({ sort: 'createdAt', order: 'desc', page: 1 });
    expect(ignored).toEqual([]);
    expect(addressOf(view)).toEqual({});
  });

  it('keeps every filter, the order and the page', () => {
    const address = {
      status: 'completed',
      sale: 'sold',
      text: 'horizon',
      from: '2026-11-01',
      to: '2026-11-20',
      tracker: 'Competitors',
      trackerResult: 'missing',
      sort: 'score',
      order: 'asc',
      page: '3',
    };
    const { view, ignored } = readAddress(address);
    expect(ignored).toEqual([]);
    expect(addressOf(view)).toEqual(address);
  });

  it('takes numbers for texts: a router may have read "2026" as one', () => {
    expect(readAddress({ text: 2026 }).view.text).toBe('2026');
  });

  it.each([
    [{ status: 'done' }, 'status=done'],
    [{ sale: 'SOLD' }, 'sale=SOLD'],
    [{ from: '2026-02-30' }, 'from=2026-02-30'],
    [{ from: '2026-11-20', to: '2026-11-01' }, 'to=2026-11-01'],
    [{ sort: 'product' }, 'sort=product'],
    [{ order: 'up' }, 'order=up'],
    [{ page: 0 }, 'page=0'],
    [{ page: '1e3' }, 'page=1e3'],
    [{ text: 'x'.repeat(201) }, `text=${'x'.repeat(40)}…`],
    [{ status: ['failed'] }, 'status=["failed"]'],
    [{ tracker: 'x'.repeat(61) }, `tracker=${'x'.repeat(40)}…`],
    [{ trackerResult: 'not_judged' }, 'trackerResult=not_judged'],
    [{ color: 'red' }, 'color=red'],
  ])('leaves out what means nothing, and tells it: %j', (address, told) => {
    const { view, ignored } = readAddress(address);
    expect(ignored).toEqual([told]);
    expect(addressOf({ ...view })).not.toHaveProperty(told.split('=')[0] ?? '');
  });

  it('asks the API only for what the API takes', () => {
    const { view } = readAddress({
      status: 'failed',
      text: '  acme ',
      tracker: 'A',
      from: '2026-11-01',
      to: '2026-11-01',
      page: 2,
    });
    const search = searchOf(view);
    const sent = Object.entries(search).map(([name, value]) => [name, String(value)]);
    expect(CallSearch.parse(Object.fromEntries(sent))).toEqual(search);
    expect(search).toMatchObject({ status: 'failed', text: 'acme', limit: 25, offset: 25 });
    expect(Date.parse(search.to ?? '') - Date.parse(search.from ?? '')).toBe(86_400_000);
  });
});
