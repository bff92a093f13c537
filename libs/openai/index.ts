export type { OpenAI } from 'openai';
export { toFile } from 'openai';
export { zodResponseFormat } from 'openai/helpers/zod';
export { classifyOpenAiError, TIMED_OUT, UNREADABLE } from './classify.ts';
export { endpointOf, openaiClient } from './client.ts';
export {
  assertPriced,
  assertServed,
  DEFAULT_CHAT_MODEL,
  DEFAULT_SPEECH_MODEL,
  estimatedDollars,
  modelFacts,
  type Price,
  priceWarning,
  shutdownWarning,
  TOKEN_PRICE,
  tokenPriceOf,
} from './models.ts';
