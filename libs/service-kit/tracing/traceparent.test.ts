import { describe, expect, it } from '@jest/globals';
import { partsOf, readTraceparent } from './traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('a traceparent that somebody sent', () => {
  it.each([`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`])('is taken as it stands: %s', (given) => {
    expect(readTraceparent(given)).toBe(given);
  });

  it('of a later version is taken for what is known of it', () => {
    expect(readTraceparent(`01-${TRACE}-${SPAN}-ff-what-is-new`)).toBe(`00-${TRACE}-${SPAN}-01`);
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-02`)).toBe(`00-${TRACE}-${SPAN}-00`);
  });

  it.each([
    null,
    undefined,
    '',
    'x',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
  ])('is none when it breaks the rules: %j', (given) => {
    expect(readTraceparent(given)).toBeNull();
  });

  it('names the trace, the span and whether they are recorded', () => {
    expect(partsOf(`00-${TRACE}-${SPAN}-01`)).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags: 1 });
  });
});
