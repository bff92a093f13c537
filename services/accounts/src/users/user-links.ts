import type { User } from '../users.ts';

/** A one-time link that belongs to a user. */
export interface NewUserLink {
  id: string;
  hash: string;
  kind: 'sign-in' | 'reset';
  userId: string;
  createdAt: Date;
  expiresAt: Date;
}

/** The links that users have. Steps, tokens, times and failures as in `Directory`. */
export interface UserLinks {
  /** Those of the user that have expired go. */
  add(link: NewUserLink): Promise<void>;
  /** @returns whose link it is, if it can be used */
  find(kind: NewUserLink['kind'], tokenHash: string, now: Date): Promise<User | null>;
  /** Of many who take a link one gets it. @returns whether this one did */
  take(kind: NewUserLink['kind'], tokenHash: string, now: Date): Promise<boolean>;
}
