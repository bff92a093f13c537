import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { fetchWhisperModel, whisperModelOffer } from '@call-analytics/transcription';

/**
 * Asks the person whether to fetch a whisper model, and fetches it with a progress bar. Asks only at a terminal, and only when the model can be reached, so that
 * nothing ever hangs where there is no network.
 * @returns true when the model is there now
 */
export async function offerWhisperModel(dir: string, model: string): Promise<boolean> {
  if (!stdin.isTTY || !stdout.isTTY) return false;
  const offer = await whisperModelOffer(model);
  if (offer === null) return false;
  const terminal = createInterface({ input: stdin, output: stdout });
  const answer = await terminal.question(
    `No speech engine is set up. Download the Whisper model "${model}" (${Math.round(offer.bytes / 1e6)} MB) to ${dir}? [y/N] `,
  );
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) return false;
  try {
    await fetchWhisperModel({
      dir,
      model,
      onProgress: ({ bytes, totalBytes }) => {
        const share = bytes / totalBytes;
        const bar = '█'.repeat(Math.round(share * 40)).padEnd(40, '░');
        stdout.write(`\r  ${bar} ${Math.round(share * 100)}% of ${Math.round(totalBytes / 1e6)} MB`);
      },
    });
    stdout.write('\n');
    return true;
  } catch (error) {
    stdout.write(`\n  ${error instanceof Error ? error.message : String(error)} Continuing without the model.\n`);
    return false;
  }
}
