import { makeLogger } from '@call-analytics/service-kit';
import { SAMPLE_RATE } from '../../plan/frames.ts';
import { whisperEngine } from './engine.ts';

// A service that transcribes five minutes of silence with the model it is given, and tells its parent about its whisper
// process. For tests that kill it.

const [modelFile = ''] = process.argv.slice(2);
const log = makeLogger('test', 'debug', { write: (line) => process.send?.(JSON.parse(line)) });
const engine = await whisperEngine({ modelFile, model: 'slow', log });
await engine.transcribe({ samples: new Int16Array(300 * SAMPLE_RATE) }, { signal: new AbortController().signal });
