import { describe, expect, it } from '@jest/globals';
import { readTranscript, sameSpeaker } from './read-transcript.ts';

describe('a transcript', () => {
  it('is read line by line, with who said it', () => {
    expect(readTranscript('Manager: Hello.\nCustomer: Hi: it is me.\nSpeaker 3: And me.\n\nWhat is this')).toEqual([
      { speaker: { role: 'manager' }, text: 'Hello.' },
      { speaker: { role: 'customer' }, text: 'Hi: it is me.' },
      { speaker: { role: 'other', number: 3 }, text: 'And me.' },
      { speaker: null, text: 'What is this' },
    ]);
  });

  it('takes nothing in the text for a label', () => {
    expect(readTranscript('Customer: Manager: I quote you.')).toEqual([
      { speaker: { role: 'customer' }, text: 'Manager: I quote you.' },
    ]);
    expect(readTranscript('<b>Manager</b>: no')).toEqual([{ speaker: null, text: '<b>Manager</b>: no' }]);
  });

  it('without a line is empty', () => {
    expect(readTranscript('')).toEqual([]);
  });

  it('knows when the same speaker goes on', () => {
    expect(sameSpeaker({ role: 'manager' }, { role: 'manager' })).toBe(true);
    expect(sameSpeaker({ role: 'other', number: 3 }, { role: 'other', number: 4 })).toBe(false);
    expect(sameSpeaker(null, null)).toBe(false);
  });
});
