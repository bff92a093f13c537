import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  id: string;
  impact?: string | null;
  help: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/** What fades in has other colours on its way, and begins a moment after it was asked for; what turns for ever is not waited for. */
const STILL = `(async () => {
  const moving = () => document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < Infinity && each.playState === 'running');
  do {
    await Promise.all(moving().map((each) => each.finished.catch(() => {})));
    await new Promise((resolve) => setTimeout(resolve, 60));
  } while (moving().length > 0);
})()`;

/** @returns what axe-core finds serious or critical on the page as it is now, in words */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(STILL);
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: Finding[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target} ${failureSummary}`),
    );
}
