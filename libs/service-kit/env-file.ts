// Loaded before a command (`node --import`): sets the variables of .env that are not set already. Node's own
// --env-file-if-exists prints a line at each start when there is no such file.
import { existsSync } from 'node:fs';

if (existsSync('.env')) process.loadEnvFile('.env');
