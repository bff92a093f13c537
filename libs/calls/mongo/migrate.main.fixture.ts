import { openMongoCallStore } from './store.ts';

// Migrates one call at a time until it is killed, and says after each that it has. A wait makes room for the kill.

const store = openMongoCallStore({ url: process.argv[2] ?? '' });
while ((await store.migrate(1)) > 0) {
  process.stdout.write('migrated\n');
  await new Promise((go) => setTimeout(go, 20));
}
await store.close();
