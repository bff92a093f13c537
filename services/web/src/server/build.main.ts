import { buildPages } from './build.ts';

// Before `npm start` and in the image. With --required a failure is one; otherwise the API starts without the pages.
const built = await buildPages((line) => console.error(line));
if (!built && process.argv.includes('--required')) process.exit(1);
