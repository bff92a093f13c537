export { connectMessaging } from './connect.ts';
export { type RabbitmqMessagingOptions, rabbitmqMessaging } from './messaging.ts';
export { type MessagingSettings, messagingSettings } from './settings.ts';
