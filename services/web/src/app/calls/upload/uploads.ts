import { installationQuery, keys, queryClient } from '../../api/queries.ts';
import { foundSignedOut } from '../../api/signed-out.ts';
import { UploadQueue } from './queue.ts';
import { rememberedReportType } from './report-type.ts';
import { sendByXhr } from './send.ts';

/** The uploads of this page, until it is left. */
export const uploads = new UploadQueue(sendByXhr, foundSignedOut);

/** Uploads files that somebody dropped or chose, with the report type that was chosen last. */
export async function upload(files: readonly File[]): Promise<void> {
  if (files.length === 0) return;
  // Without the limit the files are sent all the same: the service knows it too.
  const installation = await queryClient.ensureQueryData(installationQuery).catch(() => null);
  uploads.add(files, rememberedReportType(), installation?.maxUploadBytes ?? null);
}

/** A file has become a call: the list shows it without waiting to be told. */
let accepted = 0;
uploads.subscribe(() => {
  const now = uploads.uploads().filter(({ state }) => state.kind === 'accepted').length;
  if (now > accepted) void queryClient.invalidateQueries({ queryKey: keys.calls });
  accepted = now;
});
