import { type Clock, type Logger, systemClock } from '@call-analytics/service-kit';
import type { UsersSettings } from '../settings.ts';
import type { Users } from '../users.ts';
import type { Attempts } from './attempts.ts';
import { Devices } from './devices.ts';
import type { Directory } from './directory.ts';
import { Identities, type IdentitiesOptions } from './identities.ts';
import type { InstallationStore } from './installation.ts';
import { Limits } from './limits.ts';
import { type SendMail, senderOf } from './mail.ts';
import { members } from './members.ts';
import { operators } from './operators.ts';
import type { Parts } from './parts.ts';
import { passwords } from './passwords.ts';
import { sessions } from './sessions.ts';
import { signingIn } from './signing-in.ts';
import { signingUp } from './signing-up.ts';
import type { UserLinks } from './user-links.ts';

/** What users are opened with, wherever they are kept. */
export interface UsersOptions {
  settings: UsersSettings;
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

/** The rules about users over what a database keeps. @throws SettingsError when the settings of mail do not fit together */
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
    publicUrl: settings.PUBLIC_URL,
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
