import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { Analysis } from '@call-analytics/calls';
import { STATEMENTS } from '../../../libs/calls/sqlite/records.ts';
import { obey } from '../harness/child.ts';
import { bareExpress, toDetail } from './bare-express.ts';

await obey<{ file: string; accountId: string }, null, number>(async ({ file, accountId }) => {
  const db = new DatabaseSync(file, { readOnly: true });
  const detail = db.prepare(STATEMENTS.detail);
  const page = db.prepare(STATEMENTS.page);
  const total = db.prepare(STATEMENTS.total);
  return bareExpress((app) => {
    app.get('/api/v1/calls/:id', (request, response) => {
      const row = detail.get(request.params.id, accountId);
      if (row === undefined) return response.sendStatus(404);
      return response.json(toDetail(headOf(row), row.report_type, JSON.parse(String(row.analysis)) as Analysis));
    });
    app.get('/api/v1/calls', (request, response) => {
      const limit = Number(request.query.limit ?? 50);
      const offset = Number(request.query.offset ?? 0);
      const rows = page.all({ accountId, limit, offset });
      response.json({ calls: rows.map(toListItem), total: total.get(accountId)?.total, limit, offset });
    });
  });
});

type Row = Record<string, SQLOutputValue>;

function headOf(row: Row) {
  return {
    id: row.id,
    fileName: row.file_name,
    status: row.status,
    language: row.language,
    product: row.product,
    saleStatus: row.sale_status,
    score: row.score,
    createdAt: new Date(Number(row.created_at)).toISOString(),
  };
}

function toListItem(row: Row) {
  const updatedAt = new Date(Number(row.updated_at)).toISOString();
  return { ...headOf(row), reportType: row.report_type, updatedAt };
}
