import type { Clock, Logger } from '@call-analytics/service-kit';
import type { Identities } from './identities.ts';
import type { Devices, Limits } from './limits.ts';
import type { Directory, InstallationStore, UserLinks } from './stores.ts';

/** What the rules about users are made with. */
export interface Dependencies {
  directory: Directory;
  installation: InstallationStore;
  devices: Devices;
  links: UserLinks;
  identities: Identities;
  limits: Limits;
  signUp: 'open' | 'closed';
  /** Where people reach the installation. */
  publicUrl: () => string;
  /** null when no mail is set up. */
  sendMail: SendMail | null;
  clock: Clock;
  log: Logger;
  /** Work that goes on after the answer, such as sending an email. */
  background: Set<Promise<void>>;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** @throws when the mail server did not take it */
export type SendMail = (mail: Mail) => Promise<void>;
