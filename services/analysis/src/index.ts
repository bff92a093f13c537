export { type AnalysisOptions, createAnalysis } from './analysis.ts';
export { type Analyst, chooseAnalyst } from './analyst.ts';
export { type AnalysisSettings, analysisSettings } from './settings.ts';
