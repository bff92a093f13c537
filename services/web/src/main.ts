import { runService } from '@call-analytics/service-kit';
import { PAGES_DIR } from './server/build.ts';
import { webServer, webSettings } from './server/pages.ts';

await runService({
  name: 'web',
  settings: webSettings,
  parts: async ({ settings: { WEB_PORT: port, WEB_HOST: host } }) => [webServer({ dir: PAGES_DIR, port, host })],
});
