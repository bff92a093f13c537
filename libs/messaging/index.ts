export { DELIVERY_LIMIT } from './consumer.ts';
export { type Faults, inProcessMessaging } from './in-process.ts';
export * from './messaging.ts';
