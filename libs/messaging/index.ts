export { DELIVERY_LIMIT } from './consumer.ts';
export { type Faults, seededFaults } from './faults.ts';
export { inProcessMessaging } from './in-process.ts';
export * from './messaging.ts';
