import { MISTAKES } from './catalogue.ts';
import { CHECKS, CRITERIA, LIMITS } from './rubric.ts';

/** The arithmetic of the score as it stands in the code, in Markdown: docs/scoring.md holds it, and a test compares the two. */
export function scoringTables(): string {
  const { talkShare, monologue, nextStep, objections } = LIMITS;
  const computed: Readonly<Record<string, string>> = {
    objections: `15 × addressed ÷ raised, rounded. None raised: ${objections.unneeded} when the call led to a sale or a next step, else ${objections.unheard}`,
    next_step: `Agreed: ${nextStep.action}. With a time: ${nextStep.when} more`,
    listening: [
      `Manager's share of the talking ${talkShare.full.join(' to ')}%: ${talkShare.points}; ${talkShare.half.join(' to ')}%: ${talkShare.points / 2}; else 0.`,
      `Longest stretch of the manager up to ${monologue.full} s: ${monologue.points}; up to ${monologue.half} s: ${monologue.points / 2}; else 0`,
    ].join(' '),
    conduct: '10 less what the mistakes below cost, each kind once, not below 0',
  };
  const checks = Object.values(CHECKS);
  const criteria = CRITERIA.map(({ id, title, of }) => {
    const own = checks.filter(({ criterion }) => criterion === id).map((check) => `${check.title}: ${check.points}`);
    return `| ${title} | ${of} | ${computed[id] ?? own.join('. ')} |`;
  });
  const mistakes = Object.values(MISTAKES).map(
    ({ title, cost }) => `| ${title} | ${cost === 0 ? '0: lost elsewhere already' : cost} |`,
  );
  return [
    '| Criterion | Points | How they are given |',
    '| --- | --- | --- |',
    ...criteria,
    '',
    '| Mistake | Costs |',
    '| --- | --- |',
    ...mistakes,
  ].join('\n');
}
