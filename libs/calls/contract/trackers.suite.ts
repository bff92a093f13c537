import { CallSearch, type Tracker } from '@call-analytics/contracts';
import { describe, expect, it } from '@jest/globals';
import { type Analysis, type Call, Trackers } from '../index.ts';
import { analysis, type Fixture, HOUR, transcript } from './call-store.fixture.ts';

const COMPETITOR: Tracker = { name: 'Competitor', kind: 'mention', who: 'customer', phrases: ['Acme'] };
const NOTICE: Tracker = { name: 'Notice', kind: 'required', who: 'manager', phrases: ['this call is recorded'] };

export function tracking(fixture: () => Fixture): void {
  const trackers = () => new Trackers(fixture().calls);
  const range = () => ({
    from: new Date(fixture().clock.now().getTime() - HOUR),
    to: new Date(fixture().clock.now().getTime() + HOUR),
  });
  const line = (role: 'manager' | 'customer', text: string): Analysis['lines'][number] => ({
    role,
    speaker: role === 'manager' ? 0 : 1,
    startMs: 0,
    endMs: 1_000,
    text,
  });
  const analyze = async (id: string, manager: string, customer: string, rolesConfidence = 1) => {
    const lines = [line('manager', manager), line('customer', customer)];
    await fixture().calls.commitAnalysis(await fixture().claim(id, 'analysis'), {
      ...analysis,
      lines,
      rolesConfidence,
    });
  };
  const complete = async (manager: string, customer: string, accountId = 'mine', sure?: number): Promise<Call> => {
    const { id } = await fixture().accept(accountId);
    fixture().clock.step(1_000);
    const utterances = [line('manager', manager), line('customer', customer)];
    await fixture().calls.commitTranscript(await fixture().claim(id), { ...transcript, utterances });
    await analyze(id, manager, customer, sure);
    return fixture().read(id);
  };
  /** `found missing not-judged` of each tracker. */
  const counts = async (accountId = 'mine', within = range()) => {
    const { trackers: counted, pending } = await trackers().counts(accountId, within);
    expect(pending).toBe(0);
    return counted.map(({ found, missing, notJudged }) => `${found} ${missing} ${notJudged}`);
  };
  const set = async (...list: Tracker[]) => {
    const { revision } = await trackers().list('mine');
    return trackers().replace('mine', { revision, trackers: list });
  };

  describe('the trackers of an account', () => {
    it('are kept with a revision, and are its own', async () => {
      expect(await trackers().list('mine')).toEqual({ revision: 0, trackers: [] });
      expect(await set(COMPETITOR)).toEqual({ revision: 1, trackers: [COMPETITOR] });
      expect(await set(COMPETITOR, NOTICE)).toEqual({ revision: 2, trackers: [COMPETITOR, NOTICE] });
      expect(await trackers().list('mine')).toEqual({ revision: 2, trackers: [COMPETITOR, NOTICE] });
      expect(await trackers().list('other')).toEqual({ revision: 0, trackers: [] });
    });

    it('are not overwritten by an editor who has not seen the latest change', async () => {
      await set(COMPETITOR);
      expect(await trackers().replace('mine', { revision: 0, trackers: [] })).toBeNull();
      expect(await trackers().list('mine')).toEqual({ revision: 1, trackers: [COMPETITOR] });
    });

    it('are deleted with the account', async () => {
      await set(COMPETITOR);
      await fixture().calls.removeAccount('mine');
      expect(await trackers().list('mine')).toEqual({ revision: 0, trackers: [] });
    });
  });

  describe('what trackers find', () => {
    it('is counted in old and new calls, of the account and the range alone', async () => {
      await complete('Hello, this call is recorded.', 'We use Acme.');
      await complete('Hello.', 'We use Globex.');
      await complete('Hello.', 'We use Acme.', 'other');
      await fixture().accept('mine');
      expect(await trackers().counts('mine', range())).toEqual({ trackers: [], pending: 0 });
      await set(COMPETITOR, NOTICE);
      expect(await counts()).toEqual(['1 0 0', '1 1 0']);
      await complete('Acme?', 'Acme!');
      expect(await counts()).toEqual(['2 0 0', '1 2 0']);
      const { to } = range();
      expect(await counts('mine', { from: to, to: new Date(to.getTime() + HOUR) })).toEqual(['0 0 0', '0 0 0']);
    });

    it('is counted anew when the trackers change', async () => {
      await complete('Hello.', 'We use Globex.');
      await set(COMPETITOR);
      expect(await counts()).toEqual(['0 0 0']);
      await set({ ...COMPETITOR, phrases: ['Acme', 'Globex'] });
      expect(await counts()).toEqual(['1 0 0']);
    });

    it('is not judged where it is not certain who speaks', async () => {
      await complete('Hello.', 'We use Acme.', 'mine', 0.59);
      await set(COMPETITOR, NOTICE, { ...COMPETITOR, name: 'Anyone', who: 'anyone' });
      expect(await counts()).toEqual(['0 0 1', '0 0 1', '1 0 0']);
    });

    it('follows a correction of the speakers', async () => {
      const call = await complete('We use Acme.', 'Hello.');
      await set(COMPETITOR);
      expect(await counts()).toEqual(['0 0 0']);
      const swapped = [
        { speaker: 0, role: 'customer' },
        { speaker: 1, role: 'manager' },
      ] as const;
      expect(await fixture().calls.corrections.setSpeakers('mine', call.id, swapped)).toHaveProperty('call');
      await analyze(call.id, 'Hello.', 'We use Acme.');
      expect(await counts()).toEqual(['1 0 0']);
    });

    it('is not counted of a deleted call', async () => {
      const { id } = await complete('Hello.', 'We use Acme.');
      await set(COMPETITOR);
      expect(await counts()).toEqual(['1 0 0']);
      await fixture().calls.remove('mine', id);
      expect(await counts()).toEqual(['0 0 0']);
      await fixture().calls.restore('mine', id);
      expect(await counts()).toEqual(['1 0 0']);
    });

    it('leads to its calls', async () => {
      const [said, missed] = [await complete('This call is recorded.', 'Yes.'), await complete('Hello.', 'Hi.')];
      await complete('Hello.', 'Hi.', 'other');
      await set(COMPETITOR, NOTICE);
      const search = async (name: string, result: 'found' | 'missing', query: Record<string, string> = {}) => {
        const resultPattern = await trackers().patternOf('mine', name, result, range());
        if (resultPattern === null) return null;
        const { calls, total } = await fixture().store.search('mine', { ...CallSearch.parse(query), resultPattern });
        expect(total).toBe(calls.length);
        return calls.map(({ id }) => id);
      };
      expect(await search('Notice', 'found')).toEqual([said.id]);
      expect(await search('notice', 'missing')).toEqual([missed.id]);
      expect(await search('Competitor', 'found')).toEqual([]);
      expect(await search('Notice', 'missing', { text: 'hi', sort: 'score' })).toEqual([missed.id]);
      expect(await search('Notice', 'missing', { text: 'recorded' })).toEqual([]);
      expect(await search('Notice', 'missing', { status: 'failed' })).toEqual([]);
      expect(await search('Unknown', 'found')).toBeNull();
    });

    it('is saved only of a call as it was when it was read', async () => {
      const { id, version } = await complete('Hello.', 'We use Acme.');
      const counted = () => fixture().store.countTrackerResults('mine', range());
      await fixture().store.saveTrackerResults([{ id, version: version - 1, results: '1:f' }]);
      expect(await counted()).toEqual([{ results: null, calls: 1 }]);
      await fixture().store.saveTrackerResults([{ id, version, results: '1:f' }]);
      expect(await counted()).toEqual([{ results: '1:f', calls: 1 }]);
      expect(await fixture().read(id)).toMatchObject({ version });
    });

    it('is counted in more calls than are searched at once', async () => {
      for (let n = 0; n < 23; n += 1) await complete('Hello.', n % 2 === 0 ? 'We use Acme.' : 'Hi.');
      await set(COMPETITOR);
      const looking = trackers();
      for (;;) {
        const { trackers: counted, pending } = await looking.counts('mine', range());
        if (pending > 0) continue;
        expect(counted).toMatchObject([{ found: 12, missing: 0, notJudged: 0 }]);
        break;
      }
    });
  });
}
