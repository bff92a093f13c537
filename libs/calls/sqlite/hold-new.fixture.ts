import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

// Holds a new database for a moment with the lock of a process that switches it to a write-ahead log. Another process
// that switches it too fails at once, whatever its busy timeout is.

const [file = ''] = process.argv.slice(2);
const db = new DatabaseSync(file);
db.exec('BEGIN IMMEDIATE');
process.stdout.write('holding\n');
await delay(500);
db.exec('ROLLBACK');
db.close();
