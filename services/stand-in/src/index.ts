export { decodeAudio } from './decode.ts';
export type { Effect, Endpoint, Fault } from './faults.ts';
export { type StandIn, startStandIn } from './server.ts';
export { pocketsphinxPresent } from './speech.ts';
