import { z } from 'zod';
import { CALL_STATUSES, REPORT_TYPES, SALE_STATUSES } from './states.ts';

// The HTTP shapes. These schemas validate requests, type the responses and make the OpenAPI document: there is no second description.

const timestamp = z.iso.datetime().describe('ISO 8601, UTC');
const callId = z.string().describe('Call identifier');
const score = z
  .int()
  .min(0)
  .max(100)
  .nullable()
  .describe('Score of the call, 0 to 100; null until the call is analysed, or when there was no speech to score');
const language = z.string().nullable().describe('BCP 47 language of the call; null until known');
const product = z.string().nullable().describe('Product discussed; null when not known');
const saleStatus = z.enum(SALE_STATUSES).nullable().describe('Outcome of the sale; null until the call is analysed');

export const ReportSection = z
  .object({ id: z.string(), title: z.string(), content: z.string(), points: z.array(z.string()) })
  .strict()
  .meta({ id: 'ReportSection', description: 'One section of the report' });

export const CallListItem = z
  .object({
    id: callId,
    fileName: z.string().describe('Name of the uploaded file'),
    status: z.enum(CALL_STATUSES),
    reportType: z.enum(REPORT_TYPES),
    language,
    product,
    saleStatus,
    score,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .strict()
  .meta({ id: 'CallListItem', description: 'A call as the list shows it' });

export const CallDetail = z
  .object({
    id: callId,
    fileName: z.string().describe('Name of the uploaded file'),
    status: z.enum(CALL_STATUSES),
    language,
    product,
    saleStatus,
    score,
    createdAt: timestamp,
    summary: z.string().nullable(),
    customerIntent: z.string().nullable(),
    nextStep: z.string().nullable(),
    issues: z.array(z.string()),
    positives: z.array(z.string()),
    recommendations: z.array(z.string()),
    objections: z.array(z.string()),
    managerMistakes: z.array(z.string()),
    detailedReport: z.array(ReportSection),
    transcript: z.string().nullable().describe('Lines "Manager: …" and "Customer: …"; a third speaker is "Speaker 3: …"'),
    errorMessage: z.string().optional().describe('Why the call failed and what to do; only on a failed call'),
  })
  .strict()
  .meta({ id: 'CallDetail', description: 'One call with its report' });

export const UploadAccepted = z
  .object({ id: callId, status: z.literal('queued'), pollUrl: z.string().describe('Path of the call: poll it until completed or failed') })
  .strict()
  .meta({ id: 'UploadAccepted', description: 'The recording is stored and queued' });

export const CallList = z
  .object({ calls: z.array(CallListItem), total: z.int().min(0), limit: z.int(), offset: z.int() })
  .strict()
  .meta({ id: 'CallList', description: 'A page of calls, newest first' });

export const Me = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: timestamp,
    key: z
      .object({ id: z.string(), name: z.string(), prefix: z.string(), createdAt: timestamp, lastUsedAt: timestamp.nullable() })
      .strict()
      .nullable()
      .describe('The API key used for this request, never its secret; null for the pages of the web application, which use none'),
  })
  .strict()
  .meta({ id: 'Me', description: 'The account the API key belongs to' });

/** RFC 9457. `code` is stable and for machines, `detail` says what to do. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    requestId: z.string(),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457)' });

export type CallListItem = z.infer<typeof CallListItem>;
export type CallDetail = z.infer<typeof CallDetail>;
export type CallList = z.infer<typeof CallList>;
export type UploadAccepted = z.infer<typeof UploadAccepted>;
export type Me = z.infer<typeof Me>;
export type Problem = z.infer<typeof Problem>;
export type ReportSection = z.infer<typeof ReportSection>;
