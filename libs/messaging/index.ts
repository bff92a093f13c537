export { DELIVERY_LIMIT } from './consumer.ts';
export { type Faults, inProcessMessaging, seededFaults } from './in-process.ts';
export * from './messaging.ts';
