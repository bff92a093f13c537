/** A link that lets somebody sign up without an invitation, and creates a new account. */
export interface NewSignUpLink {
  hash: string;
  /** The email that the link was sent to, and proves. null: the link is for the first user of the installation. */
  email: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** What a store keeps of the installation as a whole. Steps, tokens, times and failures as in `Directory`. */
export interface InstallationStore {
  /** Whether there is no account and never was one that was deleted. */
  isUnclaimed(): Promise<boolean>;
  /** Signs the cookies of known browsers: the same for all processes, made with the store. */
  deviceSecret(): Promise<string>;
  /** Expired links are deleted. */
  addSignUpLink(link: NewSignUpLink): Promise<void>;
  /** @returns whose link it is, if it can be used */
  findSignUpLink(tokenHash: string, now: Date): Promise<Pick<NewSignUpLink, 'email'> | null>;
}

/** What a user without an invitation comes in with. All of it must hold in the step that makes the account. */
export interface Entry {
  /** Only as the first user of the installation. */
  onlyFirst: boolean;
  /** A sign-up link, which is used up. */
  linkHash: string | null;
}
