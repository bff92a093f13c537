// Loaded before a command (`node --import`): takes the settings in .env, for those variables that are not set. Node's own --env-file-if-exists says on every start
// that there is no such file.
import { existsSync } from 'node:fs';

if (existsSync('.env')) process.loadEnvFile('.env');
