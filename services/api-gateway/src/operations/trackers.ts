import { CallTrackers, TRACKER_LIMITS, TrackerList } from '@call-analytics/contracts';
import { LIST_BODY_BYTES } from '../http/input.ts';
import { revisionConflict } from '../http/problem.ts';
import { CALL_TRACKERS, TRACKERS } from '../openapi/examples.ts';
import { roleName } from './call-view.ts';
import { reportIn } from './evidence.ts';
import { operation } from './operation.ts';

/** The words and phrases that an account looks for in its calls. */
export const trackerOperations = {
  getTrackers: operation(
    {
      method: 'get',
      path: '/api/v1/trackers',
      tag: 'Account',
      summary: 'Read the trackers',
      description: 'The words and phrases that the account looks for in its calls.',
      caller: 'client',
      answer: { status: 200, description: 'The trackers', schema: TrackerList, examples: { trackers: TRACKERS } },
    },
    async ({ caller: { account } }, { trackers }) => trackers.list(account.id),
  ),

  setTrackers: operation(
    {
      method: 'put',
      path: '/api/v1/trackers',
      tag: 'Account',
      summary: 'Replace the trackers',
      description:
        'Replaces the whole list. Send the `revision` that you have read: if others have changed the list since, the ' +
        'answer is ' +
        `409 and nothing changes. At most ${TRACKER_LIMITS.trackers} trackers with ${TRACKER_LIMITS.phrases} phrases ` +
        `each; a phrase has at most ${TRACKER_LIMITS.words} words. All completed calls are searched again.\n\n` +
        'A phrase is found as whole words. Case, accents, punctuation, hesitations ("uh"), apostrophes and hyphens ' +
        'do not count. A last word in lower case is also found with an s at its end. Nothing else is inflected: add ' +
        'the other forms as phrases.',
      caller: 'client',
      body: TrackerList,
      bodyBytes: LIST_BODY_BYTES,
      answer: {
        status: 200,
        description: 'The new list',
        schema: TrackerList,
        examples: { trackers: { ...TRACKERS, revision: TRACKERS.revision + 1 } },
      },
      problems: ['revision_conflict'],
    },
    async ({ body, caller: { account } }, { trackers }) => {
      const list = await trackers.replace(account.id, body);
      if (list !== null) return list;
      throw revisionConflict('The list', (await trackers.list(account.id)).revision, body.revision);
    },
  ),

  getCallTrackers: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}/trackers',
      tag: 'Calls',
      summary: 'Read what the trackers find in a call',
      description:
        'The places where the phrases are said, by the present trackers. A tracker that asks for a role says nothing ' +
        'of a call whose roles are less than 60% certain.',
      caller: 'client',
      answer: {
        status: 200,
        description: 'What each tracker finds',
        schema: CallTrackers,
        examples: { completed: CALL_TRACKERS },
      },
      problems: ['call_not_found', 'call_not_completed'],
    },
    async ({ id, caller: { account } }, { calls, trackers }) => {
      const analysis = await reportIn(calls, account.id, id);
      const { revision, found } = await trackers.inCall(account.id, analysis);
      return {
        callId: id,
        revision,
        trackers: found.map(({ name, kind, who, result, hits }) => ({
          tracker: name,
          kind,
          who,
          result,
          hits: hits.flatMap(({ phrase, quote, line }) => {
            const said = analysis.lines[line];
            return said === undefined
              ? []
              : [{ phrase, quote, line, start: said.startMs / 1000, speaker: roleName(said) }];
          }),
        })),
      };
    },
  ),
};
