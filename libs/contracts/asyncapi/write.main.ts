import { writeFileSync } from 'node:fs';
import { asyncapiText, FILE } from './document.ts';

writeFileSync(FILE, asyncapiText());
