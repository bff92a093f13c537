import { buildPages } from './build.ts';

// Runs before `npm start` and in the image. Without --required the API starts without pages if the build fails.
const built = await buildPages((line) => console.error(line));
if (!built && process.argv.includes('--required')) process.exit(1);
