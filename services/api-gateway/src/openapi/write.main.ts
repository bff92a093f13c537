import { writeFileSync } from 'node:fs';
import { scriptOptions } from '@call-analytics/service-kit';
import { descriptionFiles } from './description.ts';

scriptOptions('Writes docs/openapi.json and docs/app-openapi.json: npm run openapi');
for (const { file, text } of descriptionFiles()) writeFileSync(file, text);
