import type { Clock, Logger } from '@call-analytics/service-kit';
import type { Devices } from './devices.ts';
import type { Directory } from './directory.ts';
import type { Identities } from './identities.ts';
import type { InstallationStore } from './installation.ts';
import type { Limits } from './limits.ts';
import type { SendMail } from './mail.ts';
import type { UserLinks } from './user-links.ts';

/** What the rules about users are made with. */
export interface Parts {
  directory: Directory;
  installation: InstallationStore;
  devices: Devices;
  links: UserLinks;
  identities: Identities;
  limits: Limits;
  signUp: 'open' | 'closed';
  /** Where people reach the installation. */
  publicUrl: string;
  /** null when no mail is set up. */
  sendMail: SendMail | null;
  clock: Clock;
  log: Logger;
  /** Work that goes on after the answer, such as sending an email. */
  background: Set<Promise<void>>;
}
