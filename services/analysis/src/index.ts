export { createAnalysis } from './analysis.ts';
export { type Analyst, chooseAnalyst } from './analyst.ts';
export { transcriptOfCall, type WrittenCall } from './analyze-file.ts';
export { analysisSettings } from './settings.ts';
