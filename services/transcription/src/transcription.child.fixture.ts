import { watchPoints } from '@call-analytics/service-kit';
import { createTranscription } from './index.ts';
import { openParts } from './transcription.fixture.ts';

// A transcription service in a child process, for tests that kill it. It takes one call, sends each named point to its
// parent, and waits there for a message.

const [home = '', callId = ''] = process.argv.slice(2);
// A test that fails leaves it waiting.
process.once('disconnect', () => process.exit());
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
