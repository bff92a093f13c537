// Loaded before a command (`node --import`): sets the variables of .env that are not set. Node's own
// --env-file-if-exists prints a line at every start without the file.
import { existsSync } from 'node:fs';

if (existsSync('.env')) process.loadEnvFile('.env');
