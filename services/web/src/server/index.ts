export { buildPages, PAGES_DIR } from './build.ts';
export { type WebServer, webPages, webServer } from './pages.ts';
