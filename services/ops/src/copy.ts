import { resolve } from 'node:path';
import { counted, createPrivately } from '@call-analytics/service-kit';
import { backup, backupServers, restore, restoreServers } from './backup.ts';
import { type Command, dataDirOf, isDistributed } from './command.ts';

const copied = ({ calls, recordings }: { calls: number; recordings: number }) =>
  `${counted(calls, 'call')} and ${counted(recordings, 'recording')}`;

/** Backup and restore of a whole installation. */
export const COPY_COMMANDS: Readonly<Record<string, Command>> = {
  backup: {
    args: 'FOLDER',
    help: 'copies the installation to a new folder and checks the copy; services may run',
    async run({ args: [folder = ''] }, { env }) {
      createPrivately();
      const to = resolve(folder);
      const { files, ...json } = await (isDistributed(env) ? backupServers(env, to) : backup(dataDirOf(env), to));
      const text = `${copied(json)} are in ${to}. The copy is checked.`;
      return { json, text };
    },
  },
  restore: {
    args: 'FOLDER',
    help:
      'copies a backup to an empty DATA_DIR, or to empty servers (also that of a DATA_DIR); ' +
      'stop all services first',
    async run({ args: [folder = ''] }, { env }) {
      createPrivately();
      const from = resolve(folder);
      const { files, ...json } = await (isDistributed(env) ? restoreServers(from, env) : restore(from, dataDirOf(env)));
      const restored = `${copied(json)} of ${json.at}`;
      const text = `${restored} are restored. Start the services.`;
      return { json, text };
    },
  },
};
