export { createAnalysis } from './analysis.ts';
export type { Analyst } from './analyst.ts';
export { transcriptOfCall } from './analyze-file.ts';
export { analystsOf, chooseAnalyst } from './choose-analyst.ts';
export { analysisSettings } from './settings.ts';
