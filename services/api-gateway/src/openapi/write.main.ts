import { writeFileSync } from 'node:fs';
import { descriptionFiles } from './files.ts';

for (const { file, text } of descriptionFiles()) writeFileSync(file, text);
