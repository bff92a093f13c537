import { duration, readSettings, SettingsError, scriptOptions, wholeNumber } from '@call-analytics/service-kit';
import { z } from 'zod';
import { type Fault, startStandIn } from './index.ts';

const Settings = z.object({
  STAND_IN_PORT: wholeNumber({ min: 0, max: 65_535 })
    .default(8099)
    .describe('the port to listen on; 0 for any free one'),
  STAND_IN_DELAY: duration({ max: '1h' }).prefault('0s').describe('how long each transcription takes, such as 2s'),
  STAND_IN_HOST: z.string().default('127.0.0.1').describe('the address to listen on; 0.0.0.0 for all'),
});

scriptOptions('Starts an OpenAI-compatible server for trials, with the settings STAND_IN_…: npm run stand-in');
try {
  const { STAND_IN_PORT: port, STAND_IN_HOST: host, STAND_IN_DELAY: ms } = readSettings(Settings);
  const faults: Fault[] = ms === 0 ? [] : [{ endpoint: 'transcriptions', do: { kind: 'delay', ms } }];
  const standIn = await startStandIn({ port, host, faults, log: (line) => console.log(line) });
  console.log(
    [
      `The OpenAI-compatible stand-in listens at ${standIn.url}`,
      standIn.speech === 'pocketsphinx'
        ? 'pocketsphinx recognizes speech: English, with misheard words.'
        : "Speech is NOT recognized. The stand-in's own recordings are answered from their known text; " +
          'other recordings are refused.\nFor real recognition, install the Debian packages pocketsphinx and ' +
          'pocketsphinx-en-us.',
      'Analyses are prepared: a full one for the bundled call, an empty one for other calls.',
      '',
      'To use it with the service:',
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
  console.error(
    error instanceof SettingsError ? error.message : 'The port is in use. Set STAND_IN_PORT to another port.',
  );
  process.exitCode = 1;
}
