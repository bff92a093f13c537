import type { Analysis } from '@call-analytics/calls';
import { type Document, MongoClient } from 'mongodb';
import { DETAIL_FIELDS, NOT_REMOVED } from '../../../../libs/calls/mongo/schema.ts';
import { bareExpress, toDetail } from '../../floors/bare-express.ts';
import { obey } from '../../harness/child.ts';

await obey<{ url: string; accountId: string }, null, number>(async ({ url, accountId }) => {
  const client = await MongoClient.connect(url);
  const calls = client.db().collection<Document & { _id: string }>('calls');
  return bareExpress((app) => {
    app.get('/api/v1/calls/:id', async (request, response) => {
      const found = await calls.findOne(
        { _id: request.params.id, accountId, status: NOT_REMOVED },
        { projection: DETAIL_FIELDS, readConcern: { level: 'majority' } },
      );
      if (found === null) response.sendStatus(404);
      else response.json(toDetail(headOf(found), found.reportType, found.analysis as Analysis));
    });
  });
});

function headOf({ _id, fileName, status, language, product, saleStatus, score, createdAt }: Document) {
  const at = (createdAt as Date).toISOString();
  return { id: _id, fileName, status, language, product, saleStatus, score, createdAt: at };
}
