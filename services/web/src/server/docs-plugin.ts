import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, transformWithOxc } from 'vite';

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url));
const SCALAR = dirname(createRequire(import.meta.url).resolve('@scalar/api-reference'));

/**
 * Puts the documentation beside the web application: `docs.html`, its script and its style, and Scalar's browser build, which is bundled and
 * minified already. It is no second entry of the build: shared chunks would make the first load of the application larger.
 */
export function docsPlugin(): Plugin {
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
