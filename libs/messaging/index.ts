export { type Arrival, type Faults, seededFaults } from './in-process/faults.ts';
export { type InProcessMessagingOptions, inProcessMessaging } from './in-process/messaging.ts';
export * from './port.ts';
export { DELIVERY_LIMIT } from './settlement.ts';
