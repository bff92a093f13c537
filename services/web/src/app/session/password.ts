import type { PASSWORD_LENGTH as Contract } from '@call-analytics/contracts';

/** Said again here, and held against the contract by its type: the contract's module brings schemas that no page needs. */
export const PASSWORD_LENGTH: typeof Contract = { min: 10, max: 128 };
