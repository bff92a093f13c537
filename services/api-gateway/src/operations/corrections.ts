import type { Correction } from '@call-analytics/calls';
import { CallCorrections, CORRECTED_FIELDS, CORRECTED_VALUES, CorrectedAnswer } from '@call-analytics/contracts';
import { z } from 'zod';
import { LIST_BODY_BYTES } from '../http/input.ts';
import { HttpProblem } from '../http/problem.ts';
import { CORRECTIONS } from '../openapi/examples.ts';
import type { Client } from '../session/authenticate.ts';
import { callNotFound, callWithReport } from './calls.ts';
import { notCompleted } from './evidence.ts';
import { operation } from './operation.ts';

const ANSWER = { description: 'The corrections', schema: CallCorrections, examples: { corrected: CORRECTIONS } };

/** What people say of single answers of a report. */
export const correctionOperations = {
  getCorrections: operation(
    {
      method: 'get',
      path: '/api/v1/calls/{id}/corrections',
      tag: 'Calls',
      summary: 'Read the corrections of a report',
      description: 'The answers that people have corrected or confirmed, beside the answers of the engine.',
      caller: 'client',
      answer: { status: 200, ...ANSWER },
      problems: ['call_not_found'],
    },
    async ({ id, caller: { account } }, { calls }) => {
      const { call } = await callWithReport(calls, account.id, id);
      return shown(id, call.corrections);
    },
  ),

  correctAnswer: operation(
    {
      method: 'put',
      path: '/api/v1/calls/{id}/corrections/{field}',
      pathParameters: { field: z.enum(CORRECTED_FIELDS).describe('The answer, by its name in the report') },
      tag: 'Calls',
      summary: 'Correct an answer of a report',
      description:
        'Says what one answer of the report of a completed call should be. The report, the list, its filters and the ' +
        'overview show this answer; the score and `detailedReport` stay those of the engine. The same value as in the ' +
        'report confirms it. When the call is analyzed again, a correction stays, except of a list in which none of the ' +
        'findings that it took out is found again.',
      caller: 'client',
      body: CorrectedAnswer,
      bodyBytes: LIST_BODY_BYTES,
      answer: { status: 200, ...ANSWER },
      problems: ['call_not_found', 'call_not_completed'],
    },
    async ({ id, parameters, body, caller }, { calls }) => {
      const field = z.enum(CORRECTED_FIELDS).parse(parameters.field);
      const read = CORRECTED_VALUES[field].nullable().safeParse(body.value);
      if (!read.success) throw new HttpProblem('invalid_body', `"value" ${WANTED[field]}.`);
      const result = await calls.corrections.correctAnswer(caller.account.id, id, field, read.data, nameOf(caller));
      if (result === null) throw callNotFound();
      if ('corrections' in result) return shown(id, result.corrections);
      if (result.refused === 'not completed') throw notCompleted();
      throw new HttpProblem('invalid_body', `"value" may have only texts that "${field}" of the report has.`);
    },
  ),
};

const LIST = 'must be a list of texts of the report';
const WANTED: Readonly<Record<keyof typeof CORRECTED_VALUES, string>> = {
  saleStatus: `must be one of ${CORRECTED_VALUES.saleStatus.options.join(', ')}`,
  product: 'must be a text of at most 200 characters',
  nextStep: 'must be a text of at most 1,000 characters',
  objections: LIST,
  managerMistakes: LIST,
};

function nameOf({ session, key }: Client): string {
  return session === null ? key.name : session.user.name || session.user.email;
}

function shown(callId: string, corrections: readonly Correction[]): CallCorrections {
  return { callId, corrections: [...corrections] };
}
