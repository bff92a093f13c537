import { z } from 'zod';

/** Where calls are, for services that keep them in MongoDB. */
export const callStoreSettings = z.object({
  MONGODB_URL: z
    .string()
    .regex(
      /^mongodb(\+srv)?:\/\/[^/]+\/[^/?]+/,
      'must be an address that names a database, such as mongodb://localhost:27017/call_analytics',
    )
    .describe('where the calls are kept: a replica set, of one member at least'),
});

export type CallStoreSettings = z.infer<typeof callStoreSettings>;
