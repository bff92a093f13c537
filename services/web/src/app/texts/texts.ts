import { en } from './en.ts';

/** What another language must have. */
export type Texts = typeof en;

/** Every text of the pages. */
export const texts: Texts = en;
export { LOCALE } from './locale.ts';
