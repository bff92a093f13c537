/** How often something was tried: all processes count together. Steps, times and failures as in `Directory`. */
export interface Attempts {
  /** @param expiresAt when a count that begins now ends. @returns the count with this attempt, and when it ends */
  count(key: string, expiresAt: Date, now: Date): Promise<{ count: number; until: Date }>;
  uncount(key: string): Promise<void>;
}
