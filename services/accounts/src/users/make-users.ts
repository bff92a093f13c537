import { type Clock, type Logger, systemClock } from '@call-analytics/service-kit';
import type { UsersSettings } from '../settings.ts';
import type { Users } from '../users.ts';
import { Identities, type IdentitiesOptions } from './identities.ts';
import { Devices, Limits } from './limits.ts';
import { type SendMail, senderOf } from './mail.ts';
import { members, operators } from './members.ts';
import { passwords, sessions, signingIn } from './sessions.ts';
import { signingUp } from './signing-up.ts';
import type { Attempts, Directory, InstallationStore, UserLinks } from './stores.ts';

/** What users are opened with, wherever they are kept. */
export interface UsersOptions {
  /** PUBLIC_URL is a function where the address is known only after the start. */
  settings: Omit<UsersSettings, 'PUBLIC_URL'> & { PUBLIC_URL: string | (() => string) };
  log: Logger;
  clock?: Clock;
  /** Around the hashing of passwords, for tests that count. */
  passwords?: IdentitiesOptions['passwords'];
  /** In place of the mail server that the settings name, for tests. */
  sendMail?: SendMail | null;
}

/** Where it all is kept. */
type Stores = { directory: Directory; links: UserLinks; attempts: Attempts; installation: InstallationStore } & Pick<
  IdentitiesOptions,
  'database' | 'asking'
>;

/** The users over the stores of a database. @throws SettingsError when the settings of mail do not fit together */
export function makeUsers(options: UsersOptions, { directory, links, attempts, installation, ...of }: Stores): Users {
  const { settings, log, clock = systemClock, sendMail = senderOf(settings) } = options;
  const identities = new Identities({ ...of, clock, passwords: options.passwords });
  const devices = new Devices(() => installation.deviceSecret(), clock);
  const limits = new Limits(attempts, devices, clock);
  const background = new Set<Promise<void>>();
  const parts: Parts = {
    directory,
    installation,
    devices,
    links,
    identities,
    limits,
    clock,
    log,
    sendMail,
    signUp: settings.SIGN_UP,
    publicUrl: () => (typeof settings.PUBLIC_URL === 'string' ? settings.PUBLIC_URL : settings.PUBLIC_URL()),
    background,
  };
  return {
    ...signingUp(parts),
    ...signingIn(parts),
    ...sessions(parts),
    ...passwords(parts),
    ...members(parts),
    ...operators(parts),
    async close() {
      await Promise.all(background);
      await directory.close();
    },
  };
}

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
  publicUrl: () => string;
  /** null when no mail is set up. */
  sendMail: SendMail | null;
  clock: Clock;
  log: Logger;
  /** Work that goes on after the answer, such as sending an email. */
  background: Set<Promise<void>>;
}
