import type { AddressInfo } from 'node:net';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { Analysis } from '@call-analytics/calls';
import { type ReportType, SECTIONS_SHOWN } from '@call-analytics/contracts';
import express from 'express';
import { STATEMENTS } from '../../../libs/calls/sqlite/records.ts';
import { obey } from '../harness/protocol.ts';

// The least that an Express server can do for the same answers: the same statements on the same file, and the JSON made
// of what they give. No key is checked, nothing is validated, logged or counted.

await obey<{ file: string; accountId: string }, null, number>(async ({ file, accountId }) => {
  const db = new DatabaseSync(file, { readOnly: true });
  const detail = db.prepare(STATEMENTS.detail);
  const page = db.prepare(STATEMENTS.page);
  const total = db.prepare(STATEMENTS.total);

  // An ETag costs a hash of every answer; the service sends none either.
  const app = express().disable('etag');
  app.get('/api/v1/calls/:id', (request, response) => {
    const row = detail.get(request.params.id, accountId);
    if (row === undefined) return response.sendStatus(404);
    return response.json(toDetail(row));
  });
  app.get('/api/v1/calls', (request, response) => {
    const limit = Number(request.query.limit ?? 50);
    const offset = Number(request.query.offset ?? 0);
    const rows = page.all({ accountId, limit, offset });
    response.json({ calls: rows.map(toListItem), total: total.get(accountId)?.total, limit, offset });
  });
  const port = await new Promise<number>((resolve) => {
    const server = app.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  return async () => port;
});

type Row = Record<string, SQLOutputValue>;

function toListItem(row: Row) {
  return {
    id: row.id,
    fileName: row.file_name,
    status: row.status,
    reportType: row.report_type,
    language: row.language,
    product: row.product,
    saleStatus: row.sale_status,
    score: row.score,
    createdAt: new Date(Number(row.created_at)).toISOString(),
    updatedAt: new Date(Number(row.updated_at)).toISOString(),
  };
}

function toDetail(row: Row) {
  const analysis = JSON.parse(String(row.analysis)) as Analysis;
  const shown: readonly string[] = SECTIONS_SHOWN[row.report_type as ReportType];
  return {
    id: row.id,
    fileName: row.file_name,
    status: row.status,
    language: row.language,
    product: row.product,
    saleStatus: row.sale_status,
    score: row.score,
    createdAt: new Date(Number(row.created_at)).toISOString(),
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
