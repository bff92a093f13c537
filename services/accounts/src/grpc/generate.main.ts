import { writeFileSync } from 'node:fs';
import { GENERATED, generatedTypes } from './generate.ts';

writeFileSync(GENERATED, generatedTypes());
