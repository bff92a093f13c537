import { type Clock, type Logger, systemClock } from '@call-analytics/service-kit';
import type { Users } from '../accounts.ts';
import type { UsersSettings } from '../settings.ts';
import type { Dependencies, SendMail } from './dependencies.ts';
import { Identities, type IdentitiesOptions } from './identities.ts';
import { Devices, Limits } from './limits.ts';
import { senderOf } from './links.ts';
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
  'database' | 'withStoreErrors'
>;

/** The users over the stores of a database. @throws SettingsError when the settings of mail do not fit together */
export function makeUsers(options: UsersOptions, { directory, links, attempts, installation, ...of }: Stores): Users {
  const { settings, log, clock = systemClock, sendMail = senderOf(settings) } = options;
  const identities = new Identities({ ...of, clock, passwords: options.passwords });
  const devices = new Devices(() => installation.deviceSecret(), clock);
  const limits = new Limits(attempts, devices, clock);
  const background = new Set<Promise<void>>();
  const dependencies: Dependencies = {
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
    ...signingUp(dependencies),
    ...signingIn(dependencies),
    ...sessions(dependencies),
    ...passwords(dependencies),
    ...members(dependencies),
    ...operators(dependencies),
    async close() {
      await Promise.all(background);
      await directory.close();
    },
  };
}
