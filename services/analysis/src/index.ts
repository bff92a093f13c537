export { createAnalysis } from './analysis.ts';
export { type Analyst, analystsOf, chooseAnalyst } from './analyst.ts';
export { transcriptOfCall, type WrittenCall } from './analyze-file.ts';
export { analysisSettings } from './settings.ts';
