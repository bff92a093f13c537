import { readSettings, SettingsError, wholeNumber } from '@call-analytics/service-kit';
import { z } from 'zod';
import { startStandIn } from './index.ts';

const Settings = z.object({
  STAND_IN_PORT: wholeNumber({ min: 0, max: 65_535 }).default(8099).describe('the port to listen on; 0 for any free one'),
  STAND_IN_HOST: z.string().default('127.0.0.1').describe('the address to listen on; 0.0.0.0 for all'),
});

try {
  const { STAND_IN_PORT, STAND_IN_HOST } = readSettings(Settings);
  const standIn = await startStandIn({ port: STAND_IN_PORT, host: STAND_IN_HOST, log: (line) => console.log(line) });
  console.log(
    [
      `An OpenAI-compatible stand-in listens at ${standIn.url}`,
      standIn.speech === 'pocketsphinx'
        ? 'Speech is really recognised, by pocketsphinx: English, with misheard words.'
        : 'Speech is NOT recognised: the words of the recordings in test/audio/files are replayed from their known text, and other recordings are refused.\nFor real recognition install Debian’s packages pocketsphinx and pocketsphinx-en-us.',
      'Analyses are prepared: a real reading of the bundled call, an empty one of any other.',
      '',
      'To try the service with it:',
      `  OPENAI_BASE_URL=${standIn.url} OPENAI_API_KEY=${standIn.key} ANALYSIS_ENGINE=rules npm start`,
      '',
    ].join('\n'),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void standIn.close();
    });
  }
} catch (error) {
  if (!(error instanceof SettingsError) && (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
  console.error(error instanceof SettingsError ? error.message : 'The port is taken: set STAND_IN_PORT to another one.');
  process.exitCode = 1;
}
