export { decodeAudio } from './decode.ts';
export type { Effect, Endpoint, Fault } from './faults.ts';
export { type Recorded, type StandIn, type StandInOptions, startStandIn } from './server.ts';
export { pocketsphinxPresent, type SpeechChoice } from './speech.ts';
