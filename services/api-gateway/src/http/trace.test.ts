import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const MP3 = audioFile('excerpt.mp3');

describe('the trace of a client, where no traces are made', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await runGateway();
  });
  afterAll(() => gateway.stop());

  const upload = async (headers: Record<string, string> = {}) => {
    const { id } = (await gateway.upload(form([['file', MP3]]), headers)).body as { id: string };
    return gateway.store.get(id);
  };

  it('goes on with the call and its events, and the line of the request names it', async () => {
    const call = await upload({ traceparent: SENT });
    expect(call?.traceparent).toBe(SENT);
    const events = (await gateway.store.outbox(10)).filter(({ message }) => message.data.callId === call?.id);
    expect(events.map(({ message }) => message.traceparent)).toEqual([SENT]);
    expect(gateway.log).toContainEqual(expect.objectContaining({ msg: 'request', method: 'POST', traceId: TRACE }));
  });

  it.each<Record<string, string>>([
    {},
    { traceparent: 'nonsense' },
    { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` },
  ])('is none when it sent none, or not a valid one: %j', async (headers) => {
    expect((await upload(headers))?.traceparent).toBeNull();
  });

  it('is not mixed up with that of another request on the same connection, or beside it', async () => {
    const ids = Array.from({ length: 8 }, (_, n) => `00-${TRACE}-00f067aa0ba902b${n}-01`);
    const calls = await Promise.all([...ids.map((traceparent) => upload({ traceparent })), upload(), upload()]);
    expect(calls.map((call) => call?.traceparent)).toEqual([...ids, null, null]);
  });
});
