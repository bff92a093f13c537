import { barriers } from './axe.ts';
import { takePictures } from './pictures.ts';
import type { Visitor } from './visitor.ts';

/**
 * Takes pictures of the page as it is, in every width and scheme.
 * @returns what bars people from it, in words: barriers that axe-core knows, what is wider than the screen, errors of scripts, requests to elsewhere
 */
export async function look({ page, complaints, strangers }: Visitor, name: string): Promise<string[]> {
  const found: string[] = [];
  await takePictures(page, name, async (what) => {
    for (const barrier of await barriers(page)) found.push(`${what}: ${barrier}`);
    const beyond = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
    if (beyond > 0) found.push(`${what}: goes ${beyond} px beyond the edge`);
  });
  return [...found, ...complaints, ...strangers];
}
