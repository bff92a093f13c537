import { watchPoints } from '@call-analytics/service-kit';
import { createTranscription } from './index.ts';
import { openParts } from './transcription.fixture.ts';

// A transcription service in a process of its own, for tests that kill it: takes one call, tells its parent each named point that it comes to, and waits there until it is told to go on.

const [home = '', callId = ''] = process.argv.slice(2);
const { options } = await openParts(JSON.parse(process.env.SCENE ?? '{}'), home);
watchPoints(async (name) => {
  const goOn = new Promise((resolve) => process.once('message', resolve));
  process.send?.(name);
  await goOn;
});
const { makeMessage } = await import('@call-analytics/contracts');
await createTranscription(options).start();
await options.messaging.publish(
  makeMessage('transcription.requested', { callId, accountId: 'account_1' }, 'message_1', '/test', new Date()),
);
