export { type AnalysisOptions, createAnalysis } from './analysis.ts';
export { type Analyst, chooseAnalyst } from './analyst.ts';
export { transcriptOfCall, type WrittenCall } from './analyze-file.ts';
export { type AnalysisSettings, analysisSettings } from './settings.ts';
