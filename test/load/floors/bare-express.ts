import type { AddressInfo } from 'node:net';
import type { Analysis } from '@call-analytics/calls';
import { type ReportType, SECTIONS_SHOWN } from '@call-analytics/contracts';
import express, { type Express } from 'express';

// The least that an Express server can do for the same answers: the same queries of the same data, and the JSON made of
// what they give. No key is checked, nothing is validated, logged or counted.

/** @param addRoutes to the server @returns answers with its port */
export async function bareExpress(addRoutes: (app: Express) => void): Promise<() => Promise<number>> {
  // An ETag costs a hash of every answer; the service sends none either.
  const app = express().disable('etag');
  addRoutes(app);
  const port = await new Promise<number>((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  return async () => port;
}

type Head = 'id' | 'fileName' | 'status' | 'language' | 'product' | 'saleStatus' | 'score' | 'createdAt';

/** @param head of the record, as it is @returns the body of GET /calls/:id */
export function toDetail(head: Record<Head, unknown>, reportType: unknown, analysis: Analysis) {
  const shown: readonly string[] = SECTIONS_SHOWN[reportType as ReportType];
  return {
    ...head,
    summary: analysis.summary,
    customerIntent: analysis.customerIntent,
    nextStep: analysis.nextStep,
    issues: analysis.issues.map(({ text }) => text),
    positives: analysis.positives.map(({ text }) => text),
    recommendations: analysis.recommendations,
    objections: analysis.objections.map(({ text }) => text),
    managerMistakes: analysis.managerMistakes.map(({ text }) => text),
    detailedReport: analysis.sections.filter(({ id }) => shown.includes(id)),
    transcript: analysis.lines
      .map(({ role, text }) => `${role === 'manager' ? 'Manager' : 'Customer'}: ${text}`)
      .join('\n'),
  };
}
