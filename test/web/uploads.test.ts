import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallList } from '@call-analytics/contracts';
import { FILES } from '@call-analytics/stand-in/recordings';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { CDPSession } from 'playwright-core';
import { itNeeds } from '../requirements.fixture.ts';
import { until } from '../until.fixture.ts';
import { aBrowser } from './browser.fixture.ts';
import { inspectPage } from './inspect-page.fixture.ts';
import { WebInstallation } from './installation.fixture.ts';
import type { Visitor } from './visitor.fixture.ts';

const audio = (name: string) => join(FILES, name);
const MAX_UPLOAD_BYTES = 1_500_000;

describe('uploads in the browser', () => {
  let web: WebInstallation;
  let ada: Visitor;
  let folder: string;
  let network: CDPSession;

  beforeAll(async () => {
    if (!aBrowser.present) return;
    folder = await mkdtemp(join(tmpdir(), 'call-analytics-files-'));
    web = await WebInstallation.open({ MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES) });
    ada = await web.visitor();
    await ada.signUp();
    network = await ada.page.context().newCDPSession(ada.page);
    await network.send('Network.enable');
  });
  afterEach(async () => {
    await slowly(null);
    if (await tray().isVisible()) await clear();
  });
  afterAll(async () => {
    await web?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const tray = () => ada.page.getByRole('region', { name: 'Uploads' });
  const row = (name: string) => tray().getByRole('listitem').filter({ hasText: name });
  const clear = () => ada.button('Clear finished').click();

  async function choose(...files: string[]): Promise<void> {
    const dialog = ada.page.waitForEvent('filechooser');
    await ada.button(/^(Choose files|Upload)$/).click();
    await (await dialog).setFiles(files);
  }

  /**
   * Waits until what became of a file says that its report is there. The work is real, and others may use the machine.
   */
  const ready = (name: string) => row(name).getByText('Completed').waitFor({ timeout: 60_000 });

  /** Where it was before. */
  const startAgain = () => web.installation.start({ settings: { PORT: new URL(web.url).port } });

  /** @param bytesPerSecond of what is sent; null for as fast as it goes */
  async function slowly(bytesPerSecond: number | null): Promise<void> {
    const limits = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond ?? -1 };
    await network.send('Network.emulateNetworkConditions', limits);
  }

  async function named(fileName: string): Promise<CallList['calls']> {
    const { calls } = (await ada.page.evaluate('fetch("/api/v1/calls").then((answer) => answer.json())')) as CallList;
    return calls.filter((call) => call.fileName === fileName);
  }

  /** The same recording under another name. */
  async function copy(name: string, source = 'bundled-call.mp3'): Promise<string> {
    await copyFile(audio(source), join(folder, name));
    return join(folder, name);
  }

  itNeeds(
    aBrowser,
    'a chosen file is sent while its progress is told, and its call followed through its states to the report',
    async () => {
      web.faults.push({ endpoint: 'transcriptions', nth: 1, do: { kind: 'delay', ms: 8_000 } });
      await slowly(80_000);
      await choose(audio('bundled-call.mp3'));
      await row('bundled-call.mp3')
        .getByText(/^[1-9]\d?% · .* of 956 KiB · .*\/s · \d+ sec left$/)
        .waitFor();
      await slowly(null);
      await row('bundled-call.mp3').getByText('Transcribing').waitFor();
      await ada.page.getByRole('row', { name: /bundled-call\.mp3 Transcribing/ }).waitFor();
      expect(await inspectPage(ada, 'upload')).toEqual([]);
      await ready('bundled-call.mp3');
      await ada.page.getByRole('row', { name: /bundled-call\.mp3 Completed \d+ of 100 Follow-up Horizon/ }).waitFor();
      web.faults.length = 0;
      await row('bundled-call.mp3').getByRole('link', { name: 'Open report' }).click();
      await ada.heading('bundled-call.mp3').waitFor();
      await ada.heading('Summary').waitFor();
    },
  );

  itNeeds(
    aBrowser,
    'files that are dropped anywhere in the window are uploaded, each as a call of its own',
    async () => {
      await ada.goTo('/overview');
      await ada.heading('Overview').waitFor();
      await drop(['one.wav', 'two.wav'], await bytesOf(audio('excerpt.wav')));
      await ready('one.wav');
      await ready('two.wav');
      expect([(await named('one.wav')).length, (await named('two.wav')).length]).toEqual([1, 1]);
    },
  );

  itNeeds(aBrowser, 'the language of a recording is detected, or the one that was chosen', async () => {
    await ada.goTo('/calls');
    const language = ada.page.getByLabel('Language of the recordings');
    expect(await language.inputValue()).toBe('');
    const sent: string[] = [];
    web.faults.length = 0;
    await language.selectOption({ label: 'Dutch' });
    await choose(await copy('dutch.mp3', 'excerpt.mp3'));
    await ready('dutch.mp3');
    await language.selectOption({ label: 'Detect language' });
    await choose(await copy('detected.mp3', 'excerpt.mp3'));
    await ready('detected.mp3');
    for (const name of ['dutch.mp3', 'detected.mp3']) sent.push((await named(name))[0]?.language ?? '');
    expect(sent).toEqual(['nl', 'en']);
  });

  itNeeds(aBrowser, 'what cannot become a call says why, in words', async () => {
    const large = join(folder, 'large.wav');
    await writeFile(large, Buffer.alloc(MAX_UPLOAD_BYTES + 1));
    await ada.goTo('/calls');
    const sent: string[] = [];
    ada.page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await choose(large, audio('empty.mp3'));
    await row('large.wav').getByText('The file is 1,500,001 bytes. The limit is 1,500,000 bytes.').waitFor();
    await row('empty.mp3').getByText('The file is empty.').waitFor();
    // Neither was sent to find that out.
    expect(sent).toEqual([]);
    await choose(audio('document.pdf'), audio('text-named.mp3'));
    await row('document.pdf').getByText('looks like a PDF document').waitFor();
    await row('text-named.mp3').getByRole('alert').waitFor();
    await tray().getByText('4 failed').waitFor();
    expect(await named('document.pdf')).toEqual([]);
    expect(await inspectPage(ada, 'upload-refused')).toEqual([]);
  });

  itNeeds(
    aBrowser,
    'an upload that is canceled makes no call, and the report type that was chosen is remembered',
    async () => {
      await slowly(100_000);
      await ada.goTo('/calls');
      await ada.page.getByText('Detailed', { exact: true }).click();
      await choose(await copy('canceled.mp3'), await copy('short.mp3', 'excerpt.mp3'));
      await row('canceled.mp3').getByText(/% · /).waitFor();
      await ada.button('Cancel upload of canceled.mp3').click();
      await row('canceled.mp3').waitFor({ state: 'detached' });
      await ready('short.mp3');
      expect(await named('canceled.mp3')).toEqual([]);
      expect(await named('short.mp3')).toMatchObject([{ reportType: 'detailed' }]);
      await ada.page.reload();
      expect(await ada.page.getByRole('radio', { name: 'Detailed' }).isChecked()).toBe(true);
    },
  );

  itNeeds(
    aBrowser,
    'an upload survives a change of page and a server that dies in the middle of it, and makes one call',
    async () => {
      await slowly(200_000);
      await choose(await copy('wandering.mp3'));
      await row('wandering.mp3').getByText(/% · /).waitFor();
      await ada.page.getByRole('link', { name: 'Overview' }).click();
      await ada.heading('Overview').waitFor();
      await web.installation.kill();
      await row('wandering.mp3').getByText('Connection lost. The file is kept. Retrying automatically…').waitFor();
      await slowly(null);
      await startAgain();
      await ready('wandering.mp3');
      expect(await named('wandering.mp3')).toHaveLength(1);
    },
  );

  itNeeds(
    aBrowser,
    'a session that ends before an upload is through keeps the file, and it goes on after signing in',
    async () => {
      await ada.goTo('/calls');
      await ada.heading('Calls').waitFor();
      await slowly(200_000);
      await choose(await copy('patient.mp3'), await copy('patient-too.mp3'), await copy('third.mp3'));
      await row('patient.mp3').getByText(/% · /).waitFor();
      await ada.page.context().clearCookies();
      await slowly(null);
      await ada.heading('Sign in to continue').waitFor();
      await row('third.mp3').getByText('Waiting for you to sign in').waitFor();
      await ada.page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('a few words in a row');
      await ada.page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
      for (const name of ['patient.mp3', 'patient-too.mp3', 'third.mp3']) {
        await ready(name);
        expect(await named(name)).toHaveLength(1);
      }
    },
  );

  itNeeds(aBrowser, 'whoever leaves the page in the middle of an upload is warned, and may stay', async () => {
    await slowly(50_000);
    await choose(await copy('warned.mp3'));
    await row('warned.mp3').getByText(/% · /).waitFor();
    const asked = ada.page.waitForEvent('dialog');
    await ada.page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await slowly(null);
    await ready('warned.mp3');
  });

  itNeeds(aBrowser, 'the server may go and come back: the upload waits for it, and the page says so', async () => {
    await choose(await copy('before.mp3', 'excerpt.mp3'));
    await ready('before.mp3');
    await web.installation.kill();
    await choose(await copy('meanwhile.mp3', 'excerpt.mp3'));
    await row('meanwhile.mp3')
      .getByText(/Connection lost\. The file/)
      .waitFor();
    await ada.page.getByText('Connection lost. Reconnecting…').waitFor();
    expect(await ada.page.getByRole('link', { name: 'before.mp3' }).isVisible()).toBe(true);
    await startAgain();
    await ready('meanwhile.mp3');
    await until(async () => (await named('meanwhile.mp3')).length === 1, 'one call of the file');
    await ada.page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'detached' });
  });

  async function drop(names: string[], content: string): Promise<void> {
    await ada.page.evaluate(
      `(() => {
        const bytes = Uint8Array.from(atob(${JSON.stringify(content)}), (letter) => letter.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        for (const name of ${JSON.stringify(names)}) dataTransfer.items.add(new File([bytes], name));
        window.dropped = dataTransfer;
        document.body.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }));
      })()`,
    );
    await ada.page.getByText('Drop recordings to upload them').waitFor();
    await ada.page.evaluate(
      `[...document.querySelectorAll('h2')].find((heading) => heading.textContent === 'Drop recordings to upload them')
        .dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: window.dropped }))`,
    );
  }

  async function bytesOf(file: string): Promise<string> {
    return (await readFile(file)).toString('base64');
  }
});
