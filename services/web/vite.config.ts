import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, transformWithOxc } from 'vite';
import { authPath } from './src/documents.ts';

/** Where `npm run dev` finds the gateway. */
const gateway = process.env.GATEWAY_URL || 'http://127.0.0.1:8080';

/** Serves auth.html in `npm run dev`, as the server does. */
const documents: Plugin = {
  name: 'documents',
  configureServer({ middlewares }) {
    middlewares.use((req, _res, next) => {
      if (authPath((req.url ?? '/').split('?', 1)[0] ?? '/') !== null) req.url = '/auth.html';
      next();
    });
  },
};

/** The modules that the pages for signing in share with the application. */
const SHARED_BY_BOTH = [
  'api/(client|connection)',
  'texts/en/common',
  'auth/(form|requests)',
  'shell/banner',
  'common/format',
  'chunks/styles',
];
const BASE = ofPaths('openapi-fetch', `app/(${SHARED_BY_BOTH.join('|')})\\.`);

/** Menus and dialogs, and the modules of the settings that use them. */
const OVERLAYS = ofPaths(
  'settings-page',
  'common/dialogs',
  '@floating-ui',
  'react-remove-scroll',
  'use-sidecar',
  'use-callback-ref',
  'tabbable',
  'utils/Floating',
  'components/(ModalBase|Modal|Drawer|Popover|Combobox|ScrollArea)/',
  'components/(Transition|Portal|FocusTrap|Overlay|Menu)/',
);

/** @returns what matches any of the paths, on Windows too */
function ofPaths(...paths: string[]): RegExp {
  return new RegExp(paths.join('|').replaceAll('/', '[\\\\/]'));
}

const DOCS = fileURLToPath(new URL('src/docs/', import.meta.url));
const SCALAR = dirname(createRequire(import.meta.url).resolve('@scalar/api-reference'));

/**
 * Adds the documentation to the build: `docs.html`, its script and style, and Scalar's browser build, which is already
 * bundled. It is no entry of the build, because shared chunks would enlarge the first load of the application.
 */
function docsPlugin(): Plugin {
  return {
    name: 'docs',
    apply: 'build',
    async generateBundle() {
      const { version } = JSON.parse(readFileSync(join(SCALAR, '../package.json'), 'utf8')) as { version: string };
      const home = `assets/scalar-${version}`;
      const chunks = readdirSync(join(SCALAR, 'browser/chunks')).filter((name) => name.endsWith('.js'));
      for (const name of ['standalone.esm.js', ...chunks.map((each) => `chunks/${each}`)]) {
        const source = readFileSync(join(SCALAR, 'browser', name), 'utf8').replace(/\n\/\/# sourceMappingURL=.*$/, '');
        this.emitFile({ type: 'asset', fileName: `${home}/${name}`, source });
      }
      const page = (name: string) => readFileSync(join(DOCS, name), 'utf8');
      const { code } = await transformWithOxc(page('main.ts'), 'main.ts', {
        define: { SCALAR: JSON.stringify(`/${home}/standalone.esm.js`) },
      });
      const script = this.getFileName(this.emitFile({ type: 'asset', name: 'docs.js', source: code }));
      const style = this.getFileName(this.emitFile({ type: 'asset', name: 'docs.css', source: page('docs.css') }));
      const html = page('docs.html').replace('main.ts', `/${script}`).replace('docs.css', `/${style}`);
      this.emitFile({ type: 'asset', fileName: 'docs.html', source: html });
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), documents, docsPlugin()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    // The first with light-dark(): compiled for older browsers, it would not follow the chosen colors.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Nothing is inlined: the content security policy allows only files of this origin.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Names the files of each page for the size test and the server's preload links.
    manifest: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: { index: 'index.html', auth: 'auth.html' },
      output: {
        codeSplitting: {
          groups: [
            // Both documents need it, and it rarely changes.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 3 },
            { name: 'base', test: BASE, priority: 2 },
            // What most pages share is one file, without what only menus and dialogs need.
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
