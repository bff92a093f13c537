import { describe, expect, it } from '@jest/globals';
import { disturbance, parseProcessorTime } from './machine.ts';

describe('what the host of a virtual machine does meanwhile', () => {
  it('is read as Linux tells it', () => {
    const stat = 'cpu  5228403 76860 736005 3496321 37118 0 56205 4162 11 12\ncpu0 1 2 3 4 5 6 7 8 9 10\n';
    expect(parseProcessorTime(stat)).toEqual({ all: 9_635_074, stolen: 4_162 });
  });

  it('is told of a measure that it disturbed, and of no other', () => {
    const before = { all: 1_000, stolen: 10 };
    expect(disturbance(before, { all: 2_000, stolen: 260 })).toBe(
      'the host gave 25% of the processors to others meanwhile',
    );
    expect(disturbance(before, { all: 2_000, stolen: 19 })).toBeNull();
    expect(disturbance(before, before)).toBeNull();
    expect(disturbance(null, null)).toBeNull();
  });
});
