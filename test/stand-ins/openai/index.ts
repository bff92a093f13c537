export type { Effect, Endpoint, Fault } from './faults.ts';
export { type Recorded, type StandIn, type StandInOptions, startStandIn } from './server.ts';
export type { SpeechChoice } from './speech.ts';
