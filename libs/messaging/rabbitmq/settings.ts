import { z } from 'zod';

export const messagingSettings = z.object({
  RABBITMQ_URL: z
    .url({ protocol: /^amqps?$/, error: 'must be an address such as amqp://user:password@host:5672/virtual-host' })
    .describe('amqp:// or amqps://, with user, password and, when it is not /, the virtual host'),
});

export type MessagingSettings = z.infer<typeof messagingSettings>;
