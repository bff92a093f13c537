export { buildPages, PAGES_DIR } from './build.ts';
export { type Pages, webPages } from './pages.ts';
export { type WebServer, webServer } from './server.ts';
