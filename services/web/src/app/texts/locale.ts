/** For numbers, dates and lists. */
export const LOCALE = 'en';
