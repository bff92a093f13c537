import { parseArgs } from 'node:util';
import { buildPages } from './build.ts';

// Runs before `npm start` and in the image. Without --required the API starts without pages if the build fails.
const { required } = parseArgs({ options: { required: { type: 'boolean' } } }).values;
const built = await buildPages((line) => console.error(line));
if (!built && required) process.exit(1);
