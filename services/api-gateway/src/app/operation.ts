import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Origin } from '@call-analytics/accounts';
import type { z } from 'zod';
import type { ProblemCode } from '../http/problem.ts';
import type { Present } from '../session/sessions.ts';

/** One request of the web application: what it takes and gives. The description of the API is made of this, and requests are read and refused by it. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As OpenAPI writes it, e.g. `/app/keys/{id}`. */
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** Whether somebody must be signed in. */
  signedIn: boolean;
  body?: z.ZodType;
  query?: z.ZodObject;
  /** Without a schema there is nothing to read (204). */
  answer: { status: number; description: string; schema?: z.ZodType; stream?: true };
  /** What may go wrong beside what may with every request. */
  problems: readonly ProblemCode[];
}

export interface Asked<O extends Operation> {
  req: IncomingMessage;
  res: ServerResponse;
  /** Of the path. */
  id: string;
  body: O extends { body: z.ZodType<infer Body> } ? Body : undefined;
  query: O extends { query: z.ZodType<infer Query> } ? Query : undefined;
  present: O extends { signedIn: true } ? Present : null;
  origin: Origin;
}

/** Does what an operation is for. @returns what is answered; a stream answers by itself */
export type Handler<O extends Operation> = (
  asked: Asked<O>,
) => Promise<O extends { answer: { schema: z.ZodType<infer Answer>; stream?: never } } ? Answer : void>;
