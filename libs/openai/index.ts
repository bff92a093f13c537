export type { OpenAI } from 'openai';
export { toFile } from 'openai';
export { zodResponseFormat } from 'openai/helpers/zod';
export { classifyOpenAiError, TIMED_OUT } from './classify.ts';
export { openaiClient } from './client.ts';
export { estimatedDollars, type ModelFacts, modelFacts, type Price, shutdownWarning } from './models.ts';
