import { writeFileSync } from 'node:fs';
import { descriptionFiles } from './description.ts';

for (const { file, text } of descriptionFiles()) writeFileSync(file, text);
