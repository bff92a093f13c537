import type { Servers } from '@call-analytics/test/servers/index.ts';
import type { Connection, mongo } from 'mongoose';
import { Fixture } from '../contract/call-store.fixture.ts';
import { connect, type Database, databaseOf, prepare } from './database.ts';
import type { Migration } from './migrations.ts';
import { mongoCallStore } from './store.ts';

export type Command = Record<string, unknown>;

/** A store with what it says to the server, and its database behind its back. */
export interface Watched {
  url: string;
  fixture: Fixture;
  database: Database;
  connection: Connection;
  /** @returns the commands that `act` has sent, without those of sessions and cursors */
  commandsOf(act: () => Promise<unknown>): Promise<Command[]>;
  close(): Promise<void>;
}

const NOT_A_QUESTION = new Set([
  'hello',
  'ping',
  'endSessions',
  'getMore',
  'listIndexes',
  'killCursors',
  'commitTransaction',
  'abortTransaction',
]);

export async function watchedStore(servers: Servers, options: { migrations?: Migration[] } = {}): Promise<Watched> {
  const { url, remove } = await servers.database();
  const connection = await connect(url, { monitorCommands: true });
  await prepare(connection);
  const store = mongoCallStore({ connection: async () => connection, close: () => connection.close() }, options);
  return {
    url,
    fixture: new Fixture(store),
    database: databaseOf(connection),
    connection,
    async commandsOf(act) {
      const commands: Command[] = [];
      const hear = ({ commandName, command }: mongo.CommandStartedEvent) => {
        if (!NOT_A_QUESTION.has(commandName)) commands.push(command);
      };
      connection.getClient().on('commandStarted', hear);
      try {
        await act();
        return commands;
      } finally {
        connection.getClient().off('commandStarted', hear);
      }
    },
    async close() {
      await store.close();
      await remove();
    },
  };
}
