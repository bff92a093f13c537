import type { ObjectionKind } from '../../call/catalogue.ts';
import type { Cue } from '../patterns.ts';
import { MOMENT_OBJECTIONS } from './objections/moment.ts';
import { OFFER_OBJECTIONS } from './objections/offer.ts';

/** What a customer says against buying, by kind. */
export const OBJECTION_CUES: Readonly<Record<`objection.${ObjectionKind}`, Cue>> = {
  ...OFFER_OBJECTIONS,
  ...MOMENT_OBJECTIONS,
};
