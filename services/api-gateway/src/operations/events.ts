import { LiveChange } from '@call-analytics/contracts';
import { operation } from './operation.ts';

export const eventOperations = {
  streamChanges: operation(
    {
      method: 'get',
      path: '/app/events',
      tag: 'Calls',
      summary: 'Stream changes',
      description:
        'Server-sent events for the calls of this account. Each `change` event has the id of a call that changed; ' +
        'read the call for details. Events can be lost, so also read the list from time to time. The stream ends ' +
        'with the session.',
      caller: 'session',
      answer: {
        status: 200,
        description: 'The stream, with the data of each `change` event',
        schema: LiveChange,
        stream: true,
      },
      problems: ['too_many_streams'],
    },
    async ({ req, res, caller }, { changes }) => {
      changes.open(caller, res);
      if (req.method === 'HEAD') res.end();
    },
  ),
};
