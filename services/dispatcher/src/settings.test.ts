import { readSettings } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import { dispatcherSettings } from './dispatcher.ts';

describe("the dispatcher's settings", () => {
  it('have defaults', () => {
    expect(readSettings(dispatcherSettings, {})).toEqual({ IN_FLIGHT_PER_ACCOUNT: 4, DISPATCH_INTERVAL: 1_000 });
  });

  it.each([
    ['IN_FLIGHT_PER_ACCOUNT', '0'],
    ['IN_FLIGHT_PER_ACCOUNT', 'many'],
    ['DISPATCH_INTERVAL', '0s'],
    ['DISPATCH_INTERVAL', '2h'],
    ['DISPATCH_INTERVAL', '5'],
  ])('%s may not be %s', (name, value) => {
    expect(() => readSettings(dispatcherSettings, { [name]: value })).toThrow(`${name} is "${value}"`);
  });
});
