import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  id: string;
  impact?: string | null;
  help: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/** @returns what axe-core finds serious or critical on the page as it is now, in words */
export async function barriers(page: Page): Promise<string[]> {
  // What fades in has other colours on its way; what turns for ever is not waited for.
  await page.evaluate(
    'Promise.all(document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < Infinity).map((each) => each.finished.catch(() => {})))',
  );
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as { violations: Finding[] };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target} ${failureSummary}`));
}
