import type { Accounts, Origin, Users } from '@call-analytics/accounts';
import type { Calls, Trackers } from '@call-analytics/calls';
import type { AnalysisEngine } from '@call-analytics/contracts';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { ProblemCode } from '../http/problem.ts';
import type { LiveChanges } from '../session/live-changes.ts';
import type { Client, CurrentSession, Sessions } from '../session/sessions.ts';
import type { Installation } from '../settings.ts';
import type { Uploads } from '../upload/uploads.ts';

/** What the handlers work with. */
export interface Dependencies {
  accounts: Accounts;
  users: Users;
  calls: Calls;
  trackers: Trackers;
  sessions: Sessions;
  uploads: Uploads;
  changes: LiveChanges;
  /** The origin of this service: PUBLIC_URL, or the address it listens on. Never taken from a request. */
  publicUrl: () => string;
  maxUploadBytes: number;
  /** The engines that a new analysis may name, the usual one first. */
  engines: readonly AnalysisEngine[];
}

/**
 * One request of an API: what it takes and returns. The gateway checks requests by it, and the OpenAPI documents are
 * generated from it.
 */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in OpenAPI, e.g. `/app/keys/{id}`. */
  path: string;
  tag: string;
  summary: string;
  /** A function where the text depends on the settings. */
  description: string | ((installation: Installation) => string);
  /**
   * Who may send it: `client`, an API key or a session; `session`, a signed-in user only; `anyone`, without a
   * credential.
   */
  caller: 'client' | 'session' | 'anyone';
  /** JSON. */
  body?: z.ZodType;
  /** The size limit of the body, where the usual one is too small. */
  bodyBytes?: number;
  /** The text fields of a multipart form with a file. The handler reads the form, as a stream. */
  form?: z.ZodObject;
  query?: z.ZodObject;
  /** The parts of the path beside `{id}`. */
  pathParameters?: Readonly<Record<string, z.ZodType<string>>>;
  /** Header parameters, in OpenAPI's words. */
  headers?: readonly object[];
  /** Without a schema the response has no body. */
  answer: {
    status: number;
    description: string;
    schema?: z.ZodType;
    /** Server-sent events; the schema is that of the data of each event. */
    stream?: true;
    /** The media type of an answer that is a text and not JSON. */
    text?: string;
    examples?: Readonly<Record<string, unknown>>;
    headers?: Readonly<Record<string, object>>;
  };
  /** The errors beyond those that every request of this kind can get. */
  problems?: readonly ProblemCode[];
}

/** One request that passed the checks of its operation. */
export interface OperationRequest<O extends Operation> {
  req: Request;
  /** For headers and cookies. The value that a handler returns becomes the body. */
  res: Response;
  /** From the path. */
  id: string;
  /** The other parts of the path, checked. */
  parameters: O extends { pathParameters: infer P } ? { [Name in keyof P]: string } : undefined;
  body: O extends { body: z.ZodType<infer Body> } ? Body : undefined;
  query: O extends { query: z.ZodType<infer Query> } ? Query : undefined;
  caller: { client: Client; session: CurrentSession; anyone: null }[O['caller']];
  origin(): Origin;
}

/** @returns the body of the response; a stream writes its response itself */
export type Handler<O extends Operation> = (
  request: OperationRequest<O>,
  dependencies: Dependencies,
) => Promise<
  O extends { answer: { text: string } }
    ? string
    : O extends { answer: { schema: z.ZodType<infer Answer>; stream?: never } }
      ? Answer
      : void
>;

export interface ServedOperation {
  operation: Operation;
  handle: Handler<Operation>;
}

/** An operation with its handler, whose types follow from the operation. */
export function operation<const O extends Operation>(operation: O, handle: Handler<O>): ServedOperation {
  return { operation, handle: handle as unknown as Handler<Operation> };
}

/** The answer of an operation that returns nothing. */
export const DONE = { status: 204, description: 'Done' } as const;
