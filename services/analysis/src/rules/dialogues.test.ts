import { describe, expect, it } from '@jest/globals';
import { MISTAKES, OBJECTIONS } from '../call/catalogue.ts';
import { rolesRight, type Shape, transcriptOf, type WrittenDialogue, writtenDialogues } from './dialogues.ts';
import { analyseByRules } from './index.ts';

const DIALOGUES = writtenDialogues();

/** What an examiner expects of the analysis of a call, and whether it holds. */
function expectations(dialogue: WrittenDialogue, shape: Shape): Record<string, { holds: boolean; got: unknown; wanted: unknown }> {
  const { expected } = dialogue;
  const analysis = analyseByRules(transcriptOf(dialogue, shape));
  const holdsAny = (text: string | null, words: string[]) => words.some((word) => text?.toLowerCase().includes(word.toLowerCase()));
  const holdsAll = (text: string | null, words: string[]) => words.every((word) => text?.toLowerCase().includes(word.toLowerCase()));
  const kinds = (catalogue: Record<string, string>, texts: { text: string }[]) =>
    texts
      .map(({ text }) => Object.keys(catalogue).find((kind) => text.startsWith(`${catalogue[kind]}: `)))
      .sort()
      .join();
  const mistakeTitles = Object.fromEntries(Object.entries(MISTAKES).map(([kind, { title }]) => [kind, title]));
  const objections = kinds(OBJECTIONS, analysis.objections);
  const mistakes = kinds(mistakeTitles, analysis.managerMistakes);
  const [low, high] = expected.score;
  const score = analysis.score ?? -1;
  return {
    product: { holds: holdsAny(analysis.product, expected.product.split('|')), got: analysis.product, wanted: expected.product },
    intent: {
      holds: expected.intent.length === 0 || holdsAny(analysis.customerIntent, expected.intent),
      got: analysis.customerIntent,
      wanted: expected.intent,
    },
    objections: { holds: objections === [...expected.objections].sort().join(), got: objections, wanted: expected.objections },
    nextStep: {
      holds: expected.nextStep === null ? analysis.nextStep === null : holdsAll(analysis.nextStep, expected.nextStep),
      got: analysis.nextStep,
      wanted: expected.nextStep,
    },
    saleStatus: { holds: analysis.saleStatus === expected.status, got: analysis.saleStatus, wanted: expected.status },
    mistakes: { holds: mistakes === [...expected.mistakes].sort().join(), got: mistakes, wanted: expected.mistakes },
    score: { holds: score >= low && score <= high, got: score, wanted: expected.score },
  };
}

describe.each(DIALOGUES)('$title', (dialogue) => {
  it.each<Shape>(['channels', 'recogniser'])('is understood as an examiner would (%s)', (shape) => {
    const wrong = Object.entries(expectations(dialogue, shape)).filter(([, { holds }]) => !holds);
    expect(Object.fromEntries(wrong)).toEqual({});
  });

  it.each<Shape>(['channels', 'recogniser'])('has the manager and the customer the right way round (%s)', (shape) => {
    expect(rolesRight(dialogue, analyseByRules(transcriptOf(dialogue, shape)).lines)).toBe(1);
  });

  it.each<Shape>(['channels', 'recogniser', 'mono', 'mono recogniser'])('keeps every word, and quotes only what was said (%s)', (shape) => {
    const transcript = transcriptOf(dialogue, shape);
    const analysis = analyseByRules(transcript);
    const said = (texts: { text: string }[]) =>
      texts
        .map(({ text }) => text)
        .join(' ')
        .replace(/\s+/g, ' ')
        .trim();
    expect(said(analysis.lines)).toBe(said(transcript.utterances));
    const findings = [...analysis.positives, ...analysis.issues, ...analysis.objections, ...analysis.managerMistakes];
    expect(findings.length).toBeGreaterThan(0);
    for (const { quote, line } of findings) {
      if (quote !== null) expect(analysis.lines[line ?? -1]?.text).toContain(quote);
    }
  });

  it('has a score that is the sum of its rubric, the same each time', () => {
    const first = analyseByRules(transcriptOf(dialogue, 'mono'));
    expect(first.rubric.reduce((sum, { points }) => sum + points, 0)).toBe(first.score);
    expect(first.rubric.reduce((sum, { of }) => sum + of, 0)).toBe(100);
    expect(analyseByRules(transcriptOf(dialogue, 'mono'))).toEqual(first);
  });
});

/** @returns the share of words with the right role and the share of expectations met, over all calls */
function measure(dialogues: readonly WrittenDialogue[], shape: Shape): { roles: number; met: number } {
  const mean = (shares: readonly number[]) => shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return {
    roles: mean(dialogues.map((dialogue) => rolesRight(dialogue, analyseByRules(transcriptOf(dialogue, shape)).lines))),
    met: mean(dialogues.flatMap((dialogue) => Object.values(expectations(dialogue, shape)).map(({ holds }) => (holds ? 1 : 0)))),
  };
}

// The floors are a little below what was measured (docs/scoring.md), so that a change for the worse shows.
describe('calls that the rules were never fitted to', () => {
  it.each<[Shape, number, number]>([
    ['channels', 1, 0.7],
    ['recogniser', 1, 0.7],
    ['mono', 0.6, 0.65],
    ['mono recogniser', 0.6, 0.65],
  ])('are understood in most of what an examiner expects (%s)', (shape, roles, met) => {
    const measured = measure(writtenDialogues('held-out/'), shape);
    expect(measured.roles).toBeGreaterThanOrEqual(roles);
    expect(measured.met).toBeGreaterThanOrEqual(met);
  });
});

describe('calls in which nothing tells the speakers apart', () => {
  it.each<[Shape, number, number]>([
    ['mono', 0.75, 0.85],
    ['mono recogniser', 0.68, 0.75],
  ])('have most words with the right person and most expectations met (%s)', (shape, roles, met) => {
    const measured = measure(DIALOGUES, shape);
    expect(measured.roles).toBeGreaterThanOrEqual(roles);
    expect(measured.met).toBeGreaterThanOrEqual(met);
  });

  it('say how sure the roles are, and never as sure as with speakers', () => {
    for (const dialogue of DIALOGUES) {
      const mono = analyseByRules(transcriptOf(dialogue, 'mono'));
      expect(mono.rolesBy).toBe('sentences');
      expect(mono.rolesConfidence).toBeLessThanOrEqual(0.85);
      expect(mono.rolesConfidence).toBeLessThan(analyseByRules(transcriptOf(dialogue, 'channels')).rolesConfidence);
    }
  });
});
