import { z } from 'zod';

/** What the data of every version of every message holds: a message is a hint ("look at call X"), the store is the truth, so it is the least that finds the call. */
export const AboutCall = z.object({
  callId: z.string().min(1).describe('The call to look at in the store'),
  accountId: z.string().min(1).describe('The account that the call belongs to'),
});
export type AboutCall = z.infer<typeof AboutCall>;

export interface CatalogueEntry {
  /** `event`: a fact, written with the change it tells of. `work`: a grant, published by the dispatcher when it is a call's turn. */
  kind: 'event' | 'work';
  summary: string;
  /**
   * The schema of `data` by version. The last is what is sent; the others stay for as long as a queue, an outbox or a dead letter may hold one. A published version
   * never changes: give it a successor, and a golden sample beside the others.
   */
  versions: Readonly<Record<number, z.ZodType<AboutCall>>>;
}
export type Catalogue = Readonly<Record<string, CatalogueEntry>>;

/** Every message there is. */
export const CATALOGUE = {
  'call.uploaded': {
    kind: 'event',
    summary: 'A recording was accepted and its call is queued',
    versions: { 1: AboutCall },
  },
  'call.transcribed': { kind: 'event', summary: 'The transcript of a call is kept', versions: { 1: AboutCall } },
  'call.completed': {
    kind: 'event',
    summary: 'The analysis of a call is kept: it is completed',
    versions: { 1: AboutCall },
  },
  'call.failed': {
    kind: 'event',
    summary: 'A call has failed for good, with a reason for its owner',
    versions: { 1: AboutCall },
  },
  'audio.deleted': {
    kind: 'event',
    summary: 'The recording of a call is proven to be gone',
    versions: { 1: AboutCall },
  },
  'call.removed': {
    kind: 'event',
    summary: 'The owner of a call has deleted it; for a short time it can be restored',
    versions: { 1: AboutCall },
  },
  'call.retried': { kind: 'event', summary: 'A failed call is queued again', versions: { 1: AboutCall } },
  'call.restored': { kind: 'event', summary: 'A deleted call is back, as it was', versions: { 1: AboutCall } },
  'transcription.requested': {
    kind: 'work',
    summary: "It is a call's turn to be transcribed",
    versions: { 1: AboutCall },
  },
  'analysis.requested': { kind: 'work', summary: "It is a call's turn to be analysed", versions: { 1: AboutCall } },
} as const satisfies Catalogue;

export type MessageType = keyof typeof CATALOGUE;
export type EventType = { [T in MessageType]: (typeof CATALOGUE)[T]['kind'] extends 'event' ? T : never }[MessageType];
export const MESSAGE_TYPES = Object.keys(CATALOGUE) as MessageType[];

/** @returns the published versions, oldest first */
export function versionsOf({ versions }: CatalogueEntry): number[] {
  return Object.keys(versions)
    .map(Number)
    .sort((a, b) => a - b);
}

/** The name by which a message says what its data is. */
export function dataSchemaOf(type: string, version: number): string {
  return `urn:call-analytics:${type}:v${version}`;
}
