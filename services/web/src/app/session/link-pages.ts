import type { LINK_PAGES as Contract } from '@call-analytics/contracts';

/** Said again here, and held against the contract by its type: the contract's module brings schemas that no page needs. */
export const LINK_PAGES: typeof Contract = {
  invitation: '/invitation',
  passwordReset: '/password-reset',
  signIn: '/link',
  signUp: '/sign-up',
};
