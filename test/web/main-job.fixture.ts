import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FILES } from '@call-analytics/stand-in/recordings';
import { expect } from '@jest/globals';
import { until } from '../until.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

const RECORDING = 'bundled-call.mp3';

/** Runs a line in a shell, as somebody who pasted it. @returns the body of the answer */
export async function paste(line: string): Promise<{ status?: number; code?: string; name?: string }> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -s`]);
  return JSON.parse(stdout);
}

/**
 * From a new account to a report and back, in one go: creates a key and pastes its line, uploads, watches, reads,
 * searches, downloads, revokes.
 * @param ada signed in to an account named Acme
 * @param claimed a user of another account
 */
export async function doMainJob(ada: Visitor, claimed: () => Promise<Visitor>): Promise<void> {
  await ada.goTo('/settings/keys');
  await ada.button('New key').click();
  await ada.fill({ Name: 'Phone system' });
  await ada.button('Create key').click();
  const line = (await ada.page.getByRole('region', { name: 'Try it in a terminal' }).textContent()) ?? '';
  expect(await paste(line)).toMatchObject({ name: 'Acme' });
  await ada.button('Done').click();

  await ada.goTo('/calls');
  const dialog = ada.page.waitForEvent('filechooser');
  await ada.button(/^(Choose files|Upload)$/).click();
  await (await dialog).setFiles([join(FILES, RECORDING)]);
  const upload = ada.page.getByRole('region', { name: 'Uploads' }).getByRole('listitem').filter({ hasText: RECORDING });
  await upload.getByText('Completed').waitFor({ timeout: 120_000 });
  await ada.page.getByRole('row', { name: /bundled-call\.mp3 Completed \d+ of 100 Follow-up Horizon/ }).waitFor();
  await upload.getByRole('link', { name: 'Open report' }).click();
  await ada.heading('Summary').waitFor();
  const report = new URL(ada.page.url()).pathname;

  await ada.page.getByLabel('Search the transcript').fill('spread sheet');
  await ada.page.locator('mark').first().waitFor();
  await ada.button('Download').click();
  const saved = ada.page.waitForEvent('download');
  await ada.page.getByRole('menuitem', { name: 'Report as text (.txt)' }).click();
  expect(await readFile(await (await saved).path(), 'utf8')).toContain('Manager: Good morning.');

  const other = await claimed();
  await other.goTo(report);
  await other.heading('Call not found').waitFor();
  expect(await other.page.content()).not.toContain('Horizon');

  await ada.goTo('/settings/keys');
  await ada.button('Revoke Phone system').click();
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await ada.button('Revoke Phone system').waitFor({ state: 'detached' });
  expect([...ada.pageErrors, ...ada.foreignRequests]).toEqual([]);
  // A gateway may remember a key for half a minute.
  await until(async () => (await paste(line)).status === 401, 'the key is refused', 60_000);
}
