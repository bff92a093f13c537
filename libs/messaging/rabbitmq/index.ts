export { connectMessaging, type MessagingSettings, messagingSettings } from './connect.ts';
export { type RabbitmqMessagingOptions, rabbitmqMessaging } from './messaging.ts';
