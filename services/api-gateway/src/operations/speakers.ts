import { speakersOf } from '@call-analytics/calls';
import { CallDetail, CallSpeakers, SpeakerRoles } from '@call-analytics/contracts';
import { HttpProblem, RETRY_AFTER_SECONDS } from '../http/problem.ts';
import { ANALYZING, SPEAKERS } from '../openapi/examples.ts';
import { callDetail } from './call-view.ts';
import { callNotFound, callWithReport } from './calls.ts';
import { type Dependencies, operation } from './operation.ts';

/** Who is who in a completed call, and its correction by a person. The API counts speakers from 1. */
export const speakerOperations = {
  getSpeakers: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}/speakers',
      tag: 'Calls',
      summary: 'Read the speakers of a call',
      description: 'Who speaks in a completed call, with their roles and first words.',
      caller: 'client',
      answer: { status: 200, description: 'The speakers', schema: CallSpeakers, examples: { completed: SPEAKERS } },
      problems: ['call_not_found', 'call_not_completed'],
    },
    async ({ id, caller: { account } }, { calls }) => speakersIn(calls, account.id, id),
  ),

  setSpeakers: operation(
    {
      method: 'put',
      path: '/api/v1/calls/{id}/speakers',
      tag: 'Calls',
      summary: 'Correct the speakers of a call',
      description:
        'Says who is who. The call is analyzed again with these roles, from its stored transcript: poll it as after an ' +
        'upload. Name each speaker once. The request can be repeated safely.',
      caller: 'client',
      body: SpeakerRoles,
      answer: {
        status: 202,
        description: 'The call is analyzed again, or has these roles already',
        schema: CallDetail,
        examples: { analyzing: ANALYZING },
        headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
      },
      problems: ['call_not_found', 'call_not_completed'],
    },
    async ({ id, res, body, caller: { account } }, { calls }) => {
      const roles = body.speakers.map(({ speaker, role }) => ({ speaker: speaker - 1, role }));
      const result = await calls.corrections.setSpeakers(account.id, id, roles);
      if (result === null) throw callNotFound();
      if ('refused' in result) {
        if (result.refused === 'not completed') throw notCompleted();
        const { speakers } = await speakersIn(calls, account.id, id);
        const numbers = speakers.map(({ speaker }) => speaker).join(', ');
        throw new HttpProblem('invalid_body', `The call has these speakers: ${numbers}. Name each of them once.`);
      }
      res.setHeader('Retry-After', RETRY_AFTER_SECONDS);
      const { call } = result;
      return callDetail({ call, transcript: null, analysis: await calls.reads.analysis(call.id) });
    },
  ),
};

async function speakersIn(calls: Dependencies['calls'], accountId: string, id: string): Promise<CallSpeakers> {
  const { call, analysis } = await callWithReport(calls, accountId, id);
  const transcript = await calls.reads.transcript(id);
  if (call.status !== 'completed' || analysis === null || transcript === null) throw notCompleted();
  const { lines, rolesConfidence: confidence } = analysis;
  const speakers = speakersOf(transcript, lines).map((each) => ({ ...each, speaker: each.speaker + 1 }));
  return { callId: id, confidence, speakers };
}

function notCompleted(): HttpProblem {
  return new HttpProblem(
    'call_not_completed',
    'The speakers are known when the call is completed. Read its status with "GET /api/v1/calls/{id}".',
  );
}
