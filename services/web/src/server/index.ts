export { buildPages, PAGES_DIR } from './build.ts';
export { webPages } from './pages.ts';
export { type WebServer, webServer } from './server.ts';
