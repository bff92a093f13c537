import type { User } from '../users.ts';

/** A user, of `users u`. */
export const USER = 'u.id AS user_id, u.name AS user_name, u.email';

export interface UserRow {
  user_id: string;
  user_name: string;
  email: string;
}

export function userOf({ user_id: id, user_name: name, email }: UserRow): User {
  return { id, name, email };
}
