import { describe, expect, it } from '@jest/globals';
import { type Analysis, type Call, packedTimes, type SpeakerRole, timedWords, type Utterance } from '../index.ts';
import { analysis, type Fixture, rejected, transcript } from './call-store.fixture.ts';

const SWAPPED: SpeakerRole[] = [
  { speaker: 0, role: 'customer' },
  { speaker: 1, role: 'manager' },
];
const said = (speaker: number | null, startMs: number, text: string) => ({
  speaker,
  startMs,
  endMs: startMs + 1_000,
  text,
});
const utterances = [said(0, 0, 'Good morning.'), said(1, 1_000, 'What does it cost?')];
const lines: Analysis['lines'] = [
  { role: 'manager', ...said(0, 0, 'Good morning.') },
  { role: 'customer', ...said(1, 1_000, 'What does it cost?') },
];

export function correcting(fixture: () => Fixture): void {
  const completed = async (spoken: Utterance[] = utterances, found = lines): Promise<Call> => {
    const { id } = await fixture().accept();
    await fixture().calls.commitTranscript(await fixture().claim(id), { ...transcript, utterances: spoken });
    await fixture().calls.commitAnalysis(await fixture().claim(id, 'analysis'), { ...analysis, lines: found });
    return fixture().read(id);
  };
  const set = ({ accountId, id }: Call, roles: SpeakerRole[]) =>
    fixture().calls.corrections.setSpeakers(accountId, id, roles);

  describe('the correction of the speakers', () => {
    it('sends the call back to analysis with the roles, and without the result of the wrong ones', async () => {
      const call = await completed();
      expect(await set(call, SWAPPED)).toMatchObject({
        call: { status: 'analyzing', stage: 'analysis', product: null, saleStatus: null, score: null },
      });
      expect(await fixture().store.transcript(call.id)).toEqual({ ...transcript, utterances, roles: SWAPPED });
      expect((await fixture().events(call.id)).at(-1)).toBe('call.transcribed');
      expect(await fixture().ready(call.accountId, 'analysis')).toEqual([call.id]);
    });

    it('makes the lines of the analysis the utterances when the transcript had no speakers', async () => {
      const call = await completed([said(null, 0, 'Good morning. What does it cost?')]);
      expect(await set(call, SWAPPED)).toHaveProperty('call');
      const { utterances: spoken, speakersBy } = (await fixture().store.transcript(call.id)) ?? {};
      expect({ spoken, speakersBy }).toEqual({ spoken: utterances, speakersBy: 'person' });
    });

    it('keeps what was misheard, at its place in the lines', async () => {
      const term = { heard: 'Kovalchik', term: 'Kowalczyk' };
      const whole = { ...said(null, 0, 'Good morning. Is Kowalczyk in?'), misheard: [{ at: 17, ...term }] };
      const [first, second] = lines;
      const call = await completed([whole], [
        { ...first, text: 'Good morning.' },
        { ...second, text: 'Is Kowalczyk in?' },
      ] as typeof lines);
      await set(call, SWAPPED);
      const { utterances: spoken = [] } = (await fixture().store.transcript(call.id)) ?? {};
      expect(spoken.map(({ misheard }) => misheard)).toEqual([undefined, [{ at: 3, ...term }]]);
    });

    it('keeps the times of words, also where the lines become the utterances', async () => {
      const times = [0, 1_000, 1_200, 1_400, 1_600].map((startMs) => ({ startMs, endMs: startMs + 150 }));
      const whole = said(null, 0, 'Good morning. What does it cost?');
      const words = packedTimes([{ startMs: 0, endMs: 0 }, ...times], 0) ?? '';
      const call = await completed([{ ...whole, endMs: 2_000, words }]);
      await set(call, SWAPPED);
      const { utterances: spoken = [] } = (await fixture().store.transcript(call.id)) ?? {};
      expect(spoken.map((each) => timedWords(each).map(({ text, startMs }) => `${text} ${startMs}`))).toEqual([
        ['Good 0', 'morning. 0'],
        ['What 1000', 'does 1200', 'it 1400', 'cost? 1600'],
      ]);
    });

    it('is done once: with the roles that a person has said, the call stays as it is', async () => {
      const call = await completed();
      await set(call, SWAPPED);
      const corrected = {
        ...analysis,
        rolesBy: 'person' as const,
        lines: lines.map((line, index) => ({ ...line, role: SWAPPED[index]?.role ?? 'other' })),
      };
      await fixture().calls.commitAnalysis(await fixture().claim(call.id, 'analysis'), corrected);
      const done = await fixture().read(call.id);
      expect(await set(call, SWAPPED)).toEqual({ call: done });
      expect(await fixture().store.analysis(call.id)).toEqual(corrected);
    });

    it.each<[string, SpeakerRole[]]>([
      ['one is missing', SWAPPED.slice(0, 1)],
      ['one is named twice', [...SWAPPED, ...SWAPPED.slice(0, 1)]],
      ['one does not exist', [...SWAPPED, { speaker: 2, role: 'other' }]],
    ])('is refused when of the speakers %s', async (_, roles) => {
      const call = await completed();
      expect(await set(call, roles)).toEqual({ refused: 'other speakers' });
      expect(await fixture().read(call.id)).toEqual(call);
    });

    it('does not find the call of another account', async () => {
      const call = await completed();
      expect(await set({ ...call, accountId: 'account_2' }, SWAPPED)).toBeNull();
    });

    it('can be retried when the new analysis fails', async () => {
      const call = await completed();
      await fixture().calls.audioDeleted(call.id);
      await set(call, SWAPPED);
      await fixture().calls.failAttempt(await fixture().claim(call.id, 'analysis'), rejected);
      expect(await fixture().calls.retry(call.accountId, call.id)).toMatchObject({
        call: { status: 'queued', stage: 'analysis' },
      });
    });
  });
}
