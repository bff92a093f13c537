export { connectMessaging, messagingSettings, rabbitmqMessaging } from './messaging.ts';
