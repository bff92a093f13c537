import { CHECK_IDS, CHECKS } from '@call-analytics/analysis/catalogue';
import { CLAIMS } from '@call-analytics/analysis/checks';
import type { Analysis, Finding, Transcript } from '@call-analytics/calls';
import type { Truth, WrittenCall } from './corpus.ts';

/** How often something holds. */
export interface Share {
  of: number;
  holds: number;
}

/** Claims against truth: how many claims are right, and how much of what is true was claimed. */
interface Field {
  precision: Share;
  recall: Share;
}

interface Miss {
  call: string;
  field: string;
  /** `false` was claimed and is not so; `missed` is so and was not claimed. */
  what: 'false' | 'missed';
  said: string;
}

export interface Measured {
  calls: number;
  fields: Record<'objections' | 'mistakes' | 'product' | 'customerQuestions', Field>;
  shares: Record<
    | 'kind'
    | 'kindNamed'
    | 'saleStatus'
    | 'nextStep'
    | 'nextStepWho'
    | 'unanswered'
    | 'customerAnswered'
    | 'customerUnanswered'
    | 'checksFound'
    | 'checksMissing'
    | 'othersUnscored'
    | 'scriptsUnder50',
    Share
  >;
  /** Spearman's, of the score and the coach's judgment; null with fewer than three calls. */
  rankCorrelation: number | null;
  scored: Share;
  /** The words with the right role, and the mean confidence, by calls with a score. */
  roles: { right: number; confidence: number } | null;
  misses: Miss[];
}

/** @param analyses in the order of the calls */
export function measure(calls: readonly WrittenCall[], analyses: readonly Analysis[]): Measured {
  const share = (): Share => ({ of: 0, holds: 0 });
  const field = (): Field => ({ precision: share(), recall: share() });
  const fields = { objections: field(), mistakes: field(), product: field(), customerQuestions: field() };
  const shares = {
    kind: share(),
    kindNamed: share(),
    saleStatus: share(),
    nextStep: share(),
    nextStepWho: share(),
    unanswered: share(),
    customerAnswered: share(),
    customerUnanswered: share(),
    checksFound: share(),
    checksMissing: share(),
    othersUnscored: share(),
    scriptsUnder50: share(),
  };
  const scored = share();
  const misses: Miss[] = [];
  const ranks: [number, number][] = [];
  const roles: { right: number; confidence: number }[] = [];
  calls.forEach(({ name, transcript, truth }, index) => {
    const analysis = analyses[index] as Analysis;
    const count = (to: Share, holds: boolean, miss?: Omit<Miss, 'call'>) => {
      to.of += 1;
      to.holds += holds ? 1 : 0;
      if (!holds && miss !== undefined) misses.push({ call: name, ...miss });
    };
    const wrong = (of: string, got: unknown, wanted: unknown): Omit<Miss, 'call'> => ({
      field: of,
      what: 'false',
      said: `${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`,
    });
    const kind = analysis.callKind?.kind ?? null;
    count(shares.kindNamed, kind !== null);
    if (kind !== null)
      count(shares.kind, kind === truth.kind, wrong('kind', [kind, analysis.callKind?.quote], truth.kind));
    if (truth.kind !== 'sales') {
      count(shares.othersUnscored, analysis.score === null, wrong('score', analysis.score, null));
      return;
    }
    count(scored, analysis.score !== null);
    if (analysis.score !== null)
      roles.push({ right: rolesRight(transcript, truth, analysis), confidence: analysis.rolesConfidence });
    if (truth.scripted)
      count(shares.scriptsUnder50, (analysis.score ?? 0) < 50, wrong('script', analysis.score, '<50'));
    if (analysis.score !== null && truth.quality !== null) ranks.push([analysis.score, truth.quality]);
    // Without a score nothing is judged, so nothing more is claimed.
    if (analysis.score === null && truth.channels === 1) return;
    count(
      shares.saleStatus,
      analysis.saleStatus === truth.saleStatus,
      wrong('saleStatus', [analysis.saleStatus, analysis.evidence?.saleStatus?.quote], truth.saleStatus),
    );

    for (const list of ['objections', 'mistakes'] as const) {
      const claimed = list === 'objections' ? analysis.objections : analysis.managerMistakes;
      const matches = (finding: Finding, { kind, lines }: { kind: string; lines: number[] }) =>
        (finding.kind === undefined || finding.kind === kind) &&
        (finding.line === null || isNear(transcript, analysis, finding.line, lines));
      const { contested = [] } = truth;
      const isContested = (finding: Finding) =>
        contested.length > 0 && finding.line !== null && isNear(transcript, analysis, finding.line, contested);
      for (const finding of claimed) {
        const isRight = truth[list].some((true_) => matches(finding, true_));
        if (!isRight && isContested(finding)) continue;
        count(fields[list].precision, isRight, { field: list, what: 'false', said: finding.text });
      }
      for (const [kind, same] of Map.groupBy(truth[list], ({ kind }) => kind)) {
        const found = claimed.find((finding) => same.some((true_) => matches(finding, true_)));
        const lines = same.flatMap(({ lines }) => lines);
        const said = lines.map((line) => transcript.utterances[line]?.text).join(' | ');
        count(fields[list].recall, found !== undefined, { field: list, what: 'missed', said: `${kind}: ${said}` });
        const isHeld = ({ line, text }: Finding) =>
          line === found?.line && text.startsWith('An objection was not addressed');
        if (list === 'objections' && found !== undefined && analysis.issues.some(isHeld)) {
          const answered = truth.objections.some((each) => each.kind === kind && each.answered);
          count(shares.unanswered, !answered, wrong('unanswered', said, 'answered'));
        }
      }
    }

    const { acts } = truth;
    /** A manager who passes over a question is tagged in one of the lines after it. */
    const countQuestions = (tagged: ReadonlyMap<string, number[]>) => {
      const [asked, passedOver] = [tagged.get('question') ?? [], tagged.get('m:unanswered') ?? []];
      const claimed = analysis.evidence?.customerQuestions ?? [];
      const isAt = (line: number, at: number) => isNear(transcript, analysis, line, [at], 0);
      for (const { quote, line, answer, unanswered } of claimed) {
        const at = asked.find((each) => isAt(line, each));
        if (at === undefined && (truth.contested ?? []).some((each) => isAt(line, each))) continue;
        const said = { field: 'customerQuestions', what: 'false' as const, said: quote };
        count(fields.customerQuestions.precision, at !== undefined, said);
        if (at === undefined) continue;
        const next = asked.find((each) => each > at) ?? Number.POSITIVE_INFINITY;
        const isPassedOver = passedOver.some((each) => each > at && each <= at + PASSED_OVER_WITHIN && each < next);
        if (answer !== null) count(shares.customerAnswered, !isPassedOver, wrong('answered', quote, 'unanswered'));
        if (unanswered) count(shares.customerUnanswered, isPassedOver, wrong('unanswered', quote, 'answered'));
      }
      for (const at of asked)
        count(
          fields.customerQuestions.recall,
          claimed.some(({ line }) => isAt(line, at)),
        );
    };
    if (acts !== undefined)
      for (const id of CHECK_IDS) {
        const { title } = CHECKS[id];
        const lines = acts.get(CLAIMS[id].act) ?? [];
        const found = analysis.positives.find(({ text }) => text === `${title}.`);
        if (found !== undefined)
          count(
            shares.checksFound,
            lines.length > 0 && isNear(transcript, analysis, found.line, lines),
            wrong(id, found.quote, lines),
          );
        if (analysis.rubric.some(({ why }) => why.split('; ').includes(`${title}: no`)))
          count(shares.checksMissing, lines.length === 0, wrong(id, 'missing', lines));
      }
    if (acts !== undefined) countQuestions(acts);

    const names = truth.product.map((name) => name.toLowerCase());
    const product = analysis.product?.toLowerCase() ?? null;
    const named = product !== null && names.some((name) => product.includes(name) || name.includes(product));
    if (product !== null) count(fields.product.precision, named, wrong('product', product, names));
    if (names.length > 0)
      count(fields.product.recall, named, { field: 'product', what: 'missed', said: names.join(', ') });

    const step = stepIsRight(analysis, truth);
    count(
      shares.nextStep,
      step,
      wrong(
        'nextStep',
        [analysis.nextStep, analysis.evidence?.nextSteps.map(({ when, day }) => [when, day])],
        truth.nextStep,
      ),
    );
    const withWho = (analysis.evidence?.nextSteps ?? []).filter(({ who }) => who !== null);
    // "both" is a meeting or a visit: naming the one who comes is right as well.
    if (step && truth.nextStep !== null && withWho.length > 0)
      count(
        shares.nextStepWho,
        truth.nextStep.who === 'both' || withWho.some(({ who }) => who === truth.nextStep?.who),
        wrong(
          'who',
          withWho.map(({ who, quote }) => [who, quote]),
          truth.nextStep.who,
        ),
      );
  });
  const mean = (of: 'right' | 'confidence') => roles.reduce((sum, each) => sum + each[of], 0) / roles.length;
  return {
    calls: calls.length,
    fields,
    shares,
    scored,
    rankCorrelation: ranks.length < 3 ? null : spearman(ranks),
    roles: roles.length === 0 ? null : { right: mean('right'), confidence: mean('confidence') },
    misses,
  };
}

function stepIsRight({ nextStep, evidence }: Analysis, { nextStep: truth }: Truth): boolean {
  const steps = evidence?.nextSteps ?? [];
  if (truth === null || nextStep === null) return truth === null && nextStep === null;
  const has = (text: string, words: readonly string[]) =>
    words.some((word) => text.toLowerCase().includes(word.toLowerCase()));
  const times = steps.flatMap(({ when }) => when ?? []).join(' ');
  const days = steps.flatMap(({ day }) => day ?? []);
  return (
    has(nextStep, truth.what) &&
    (truth.when === null ? times === '' : has(times, truth.when)) &&
    (truth.day === null || days.includes(truth.day))
  );
}

/** Lines after a question in which the manager passes over it. */
const PASSED_OVER_WITHIN = 4;

/** A quote counts when it is at most two lines from the true one: a person may say it in two parts. */
const NEAR = 2;

function isNear(
  { utterances }: Transcript,
  { lines }: Analysis,
  line: number | null,
  wanted: readonly number[],
  near = NEAR,
): boolean {
  if (wanted.length === 0) return true;
  const { startMs = -1, text = '' } = lines[line ?? -1] ?? {};
  const at = utterances.findIndex(
    (utterance) => utterance.startMs <= startMs && startMs <= utterance.endMs && utterance.text.includes(text),
  );
  return wanted.some((each) => Math.abs(each - at) <= near);
}

/** The share of words with the right role. */
function rolesRight({ utterances }: Transcript, { roles }: Truth, { lines }: Analysis): number {
  const words = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const truth = utterances.flatMap(({ speaker, text }, index) =>
    words(text).map(() => (Array.isArray(roles) ? roles[index] : roles[String(speaker)])),
  );
  const given = lines.flatMap(({ role, text }) => words(text).map(() => role));
  return truth.filter((role, index) => role === given[index]).length / Math.max(1, truth.length);
}

/** Spearman's rank correlation; ties share their mean rank. */
export function spearman(pairs: readonly (readonly [number, number])[]): number {
  const ranksOf = (values: readonly number[]) =>
    values.map((value) => {
      const below = values.filter((other) => other < value).length;
      return below + (values.filter((other) => other === value).length + 1) / 2;
    });
  const [a, b] = [ranksOf(pairs.map(([one]) => one)), ranksOf(pairs.map(([, other]) => other))];
  const mean = (pairs.length + 1) / 2;
  const sum = (one: readonly number[], other: readonly number[]) =>
    one.reduce((total, value, index) => total + (value - mean) * ((other[index] ?? 0) - mean), 0);
  const spread = Math.sqrt(sum(a, a) * sum(b, b));
  return spread === 0 ? 0 : sum(a, b) / spread;
}

/** The 95% interval of a share by Wilson, 0 to 1. https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval */
export function interval({ of, holds }: Share): [number, number] {
  if (of === 0) return [0, 1];
  const z = 1.96;
  const p = holds / of;
  const center = (p + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of));
  return [Math.max(0, center - half), Math.min(1, center + half)];
}
