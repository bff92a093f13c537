import type { Key, Member } from '@call-analytics/contracts';
import { shownDay } from '../../common/dates.ts';
import { texts } from '../../texts/texts.ts';

const { settings: words } = texts;

/** Whether the key is accepted at this time. */
export function isActive({ revokedAt, expiresAt }: Key, now = new Date()): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > now);
}

/**
 * @param members of the account, for the names; undefined while they are not loaded
 * @returns when the key was created and by whom, e.g. `Created Nov 21, 2026 by Ada`
 */
export function creation({ createdAt, createdBy }: Key, members: readonly Member[] | undefined): string {
  const created = words.created(shownDay(createdAt));
  if (createdBy === 'operator') return words.createdByOperator(created);
  if (createdBy === null || members === undefined) return created;
  return words.createdBy(created, members.find(({ userId }) => userId === createdBy)?.name ?? words.formerMember);
}

/** @returns what the key may do and until when, e.g. `Read only`, `Expires Nov 21, 2027` */
export function permission({ scope, expiresAt }: Key): string[] {
  return [
    scope === 'read' ? words.readOnly : words.readWrite,
    expiresAt === null ? words.neverExpires : words.expiresOn(shownDay(expiresAt)),
  ];
}
