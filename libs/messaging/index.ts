export { DELIVERY_LIMIT } from './consumer.ts';
export { type Arrival, type Faults, seededFaults } from './faults.ts';
export { type InProcessMessagingOptions, inProcessMessaging } from './in-process.ts';
export * from './messaging.ts';
