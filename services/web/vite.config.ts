import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { docsPlugin } from './src/server/docs-plugin.ts';

/** Where `npm run dev` finds the gateway. */
const gateway = process.env.GATEWAY_URL || 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), docsPlugin()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    // The first with light-dark(): compiled for older ones, it would not follow the chosen colours.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Nothing is inlined: the content security policy takes scripts, styles and pictures only from files of this origin.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Names the files of the first load, for the test of its size and for the server's preload header.
    manifest: true,
    license: { fileName: 'licenses.md' },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/app', '/assets', '/docs', '/healthz'].map((path) => [path, { target: gateway }]),
    ),
  },
});
