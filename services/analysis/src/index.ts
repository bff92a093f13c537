export { type AnalysisOptions, createAnalysis } from './analysis.ts';
export type { Analyst } from './analyst.ts';
export { chooseAnalyst } from './choose-analyst.ts';
export { guardedAnalyst } from './guarded.ts';
export { type AnalysisSettings, analysisSettings } from './settings.ts';
