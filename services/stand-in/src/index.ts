export type { Effect, Endpoint, Fault } from './faults.ts';
export { type StandIn, startStandIn } from './server.ts';
export { decodeAudio, pocketsphinxPresent } from './speech.ts';
