import { writeFileSync } from 'node:fs';
import { asyncapiText, FILE } from './text.ts';

writeFileSync(FILE, asyncapiText());
