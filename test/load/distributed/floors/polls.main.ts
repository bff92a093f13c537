import type { AddressInfo } from 'node:net';
import type { Analysis } from '@call-analytics/calls';
import { type ReportType, SECTIONS_SHOWN } from '@call-analytics/contracts';
import express from 'express';
import { type Document, MongoClient } from 'mongodb';
import { DETAIL_FIELDS, NOT_REMOVED } from '../../../../libs/calls/mongo/schema.ts';
import { obey } from '../../harness/protocol.ts';

// The least that an Express server can do for the same answer: the same query of the same document with MongoDB's own
// driver, and the JSON made of what it gives. No key is checked, nothing is validated, logged or counted.

await obey<{ url: string; accountId: string }, null, number>(async ({ url, accountId }) => {
  const client = await MongoClient.connect(url);
  const calls = client.db().collection<Document & { _id: string }>('calls');

  // An ETag costs a hash of every answer; the service sends none either.
  const app = express().disable('etag');
  app.get('/api/v1/calls/:id', async (request, response) => {
    const found = await calls.findOne(
      { _id: request.params.id, accountId, status: NOT_REMOVED },
      { projection: DETAIL_FIELDS, readConcern: { level: 'majority' } },
    );
    if (found === null) response.sendStatus(404);
    else response.json(toDetail(found));
  });
  const port = await new Promise<number>((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  return async () => port;
});

function toDetail(found: Document) {
  const analysis = found.analysis as Analysis;
  const shown: readonly string[] = SECTIONS_SHOWN[found.reportType as ReportType];
  return {
    id: found._id,
    fileName: found.fileName,
    status: found.status,
    language: found.language,
    product: found.product,
    saleStatus: found.saleStatus,
    score: found.score,
    createdAt: (found.createdAt as Date).toISOString(),
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
