export { connectMessaging, messagingSettings } from './connect.ts';
export { rabbitmqMessaging } from './messaging.ts';
