import { REPORT_TYPES, type ReportType } from '@call-analytics/contracts';
import { z } from 'zod';
import { HttpProblem } from '../http/problem.ts';
import { shown } from '../http/shown.ts';

/** The text fields of the upload form; the API description is made from this too. */
export const UploadFields = z.strictObject({
  reportType: z.enum(REPORT_TYPES).default('medium').describe('Length of the report: 3, 6 or 10 sections'),
});

/**
 * @param fields the text fields as they came: a list where a name came more than once
 * @throws HttpProblem naming the field, its value and the rule
 */
export function readFields(fields: Readonly<Record<string, unknown>>): { reportType: ReportType } {
  const given = Object.entries(fields);
  for (const [name, value] of given) {
    if (name === 'file')
      throw new HttpProblem(
        'missing_file',
        'The part "file" is a text field. Send the recording as a file with a file name.',
      );
    if (!Object.hasOwn(UploadFields.shape, name))
      throw new HttpProblem(
        'invalid_field',
        `Unknown field ${shown(name)}. Send "file" and, optionally, "reportType".`,
      );
    if (typeof value !== 'string')
      throw new HttpProblem('invalid_field', `The field "${name}" is repeated. Send it once.`);
  }
  const read = UploadFields.safeParse(Object.fromEntries(given));
  if (read.success) return read.data;
  throw new HttpProblem(
    'invalid_field',
    `"reportType" is ${shown(fields.reportType)}; it must be one of ${REPORT_TYPES.join(', ')}.`,
  );
}
