import { readFileSync } from 'node:fs';
import { quotedBytes } from '../http/input.ts';
import { PROBLEMS } from '../http/problem.ts';
import type { Installation } from '../settings.ts';

/** Used when PUBLIC_URL is not set. /docs replaces it by the origin in the browser. */
const EXAMPLE_ORIGIN = 'https://calls.example.com';

const SAMPLES = [
  {
    name: 'curl',
    file: 'report.sh',
    language: 'bash',
    run: 'sh report.sh call.mp3',
    needs: 'a POSIX shell and curl 7.76 or later',
  },
  {
    name: 'Python',
    file: 'report.py',
    language: 'python',
    run: 'python3 report.py call.mp3',
    needs: 'Python 3.9 or later, and no package',
  },
  {
    name: 'TypeScript',
    file: 'report.mts',
    language: 'typescript',
    run: 'node report.mts call.mp3',
    needs: 'Node 24 or later, and no package. With Node 20 or 22, run it with `npx tsx report.mts call.mp3`',
  },
] as const;

const SAMPLES_FOLDER = new URL('../../samples/', import.meta.url);

/** In braces what depends on the installation, by the names of its settings, and what is generated. */
const GUIDE = readFileSync(new URL('guide.md', import.meta.url), 'utf8').trimEnd();

/**
 * The guide, in Markdown. As the description of the OpenAPI document, every renderer shows it beside the reference.
 * @param publicUrl the origin of this installation, if it is set
 */
export function guide({
  maxUploadBytes,
  idleMs,
  minBytesPerSecond,
  uploadsPerAccount,
  publicUrl = EXAMPLE_ORIGIN,
}: Installation) {
  const values: Readonly<Record<string, string>> = {
    PUBLIC_URL: publicUrl,
    MAX_UPLOAD_BYTES: quotedBytes(maxUploadBytes),
    UPLOAD_MIN_RATE: quotedBytes(minBytesPerSecond),
    UPLOAD_IDLE_TIMEOUT: `${idleMs / 1000} s`,
    UPLOADS_PER_ACCOUNT: String(uploadsPerAccount),
    SAMPLES: SAMPLES.map(sampleSection).join('\n\n'),
    PROBLEMS: Object.entries(PROBLEMS)
      .map(([code, { status, title, meaning }]) => `## ${code}\n\n**${status} ${title}.** ${meaning}`)
      .join('\n\n'),
  };
  return `${GUIDE.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))}\n`;
}

function sampleSection({ name, file, language, run, needs }: (typeof SAMPLES)[number]): string {
  const source = readFileSync(new URL(file, SAMPLES_FOLDER), 'utf8').trimEnd();
  const how = `Save it as \`${file}\` and run \`${run}\`. Needs ${needs}.`;
  return `## ${name}\n\n${how}\n\n\`\`\`${language}\n${source}\n\`\`\``;
}
