import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { outsidePath } from './src/outside-paths.ts';
import { docsPlugin } from './src/server/docs-plugin.ts';

/** Where `npm run dev` finds the gateway. */
const gateway = process.env.GATEWAY_URL || 'http://127.0.0.1:8080';

/** `npm run dev` has two documents, as the server has. */
const documents: Plugin = {
  name: 'documents',
  configureServer({ middlewares }) {
    middlewares.use((req, _res, next) => {
      if (outsidePath((req.url ?? '/').split('?', 1)[0] ?? '/') !== null) req.url = '/outside.html';
      next();
    });
  },
};

/** What the pages outside the application are made of, and what they share with it. */
const BASE =
  /openapi-fetch|src[\\/]app[\\/](api[\\/](client|connection|problem|signed-out|told|words)|texts[\\/](outside|locale|en[\\/](common|session|shell))|outside[\\/](form|requests)|session[\\/](enter|next|other-tabs|password|sign-in-form)|shell[\\/]banner|common[\\/]dates|chunks[\\/]styles)\./;

const OVERLAYS =
  /@floating-ui|react-remove-scroll|use-sidecar|use-callback-ref|tabbable|components[\\/](ModalBase|Modal|Drawer|Popover|Combobox|ScrollArea|Transition|Portal|FocusTrap|Overlay|Menu)[\\/]/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), documents, docsPlugin()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    // The first with light-dark(): compiled for older ones, it would not follow the chosen colors.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Nothing is inlined: the content security policy takes scripts, styles and pictures only from files of this origin.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Names the files of each page, for the test of their size and for the preload links of the server.
    manifest: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: { index: 'index.html', outside: 'outside.html' },
      output: {
        codeSplitting: {
          groups: [
            // Both documents need it, and it changes rarely.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 3 },
            { name: 'base', test: BASE, priority: 2 },
            // What most pages share comes in one file instead of one for each module, except what only menus and dialogs need.
            { name: 'shared', test: (id) => !OVERLAYS.test(id), minShareCount: 5, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/app', '/assets', '/docs', '/healthz'].map((path) => [path, { target: gateway }]),
    ),
  },
});
