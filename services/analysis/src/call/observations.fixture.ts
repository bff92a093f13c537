import { CHECK_IDS } from './catalogue.ts';
import type { Observations } from './observations.ts';

/** Words that are proof enough for any finding. */
export const EVIDENCE = { quote: 'hello', line: 0 };

/** What an engine found that found nothing, but for `changes`. */
export function observations(changes: Partial<Observations> = {}): Observations {
  return {
    kind: { kind: 'sales', evidence: null },
    product: null,
    customerIntent: null,
    saleStatus: 'unclear',
    outcome: null,
    nextStep: null,
    checks: Object.fromEntries(CHECK_IDS.map((id) => [id, null])) as Observations['checks'],
    missing: CHECK_IDS,
    questions: [],
    customerQuestions: [],
    objections: [],
    mistakes: [],
    positives: [],
    issues: [],
    summary: 'A summary.',
    recommendations: [],
    ...changes,
  };
}

/** The checks, with the same proof for each. */
export const all = (evidence: typeof EVIDENCE | null) =>
  Object.fromEntries(CHECK_IDS.map((id) => [id, evidence])) as Observations['checks'];
export const asked = (count: number) => Array.from({ length: count }, () => EVIDENCE);
