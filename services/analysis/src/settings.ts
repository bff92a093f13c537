import { analysisEngines } from '@call-analytics/calls';
import { DEFAULT_CHAT_MODEL, TOKEN_PRICE, tokenPriceOf } from '@call-analytics/openai';
import { duration, wholeNumber } from '@call-analytics/service-kit';
import { z } from 'zod';

export const analysisSettings = z.object({
  ANALYSIS_ENGINE: analysisEngines,
  ANALYSIS_MODEL: z.string().default(DEFAULT_CHAT_MODEL).describe('a chat model with structured outputs'),
  ANALYSIS_PRICE: z
    .string()
    .regex(
      TOKEN_PRICE,
      'must be such as "input=0.1 output=0.5" or "input=0.1 output=0.5 cached=0.01 cache-write=0.125"',
    )
    .transform(tokenPriceOf)
    .optional()
    .describe('US dollars per million tokens; set it for a model whose list price is unknown or wrong'),
  ANALYSIS_CONTEXT_TOKENS: wholeNumber({ min: 24_000, max: 100_000_000 })
    .optional()
    .describe(
      'how many tokens a prompt and its answer may have together, at least 24000; set it for a model whose limit is ' +
        'unknown or wrong',
    ),
  ANALYSIS_VERIFICATION: z
    .enum(['on', 'off'])
    .default('on')
    .describe('on: further requests check the findings of a language model; off: they are not checked'),
  ANALYSIS_CONCURRENCY: wholeNumber({ min: 1, max: 64 })
    .prefault('2')
    .describe('how many calls are analyzed at a time, 1 to 64'),
  ANALYSIS_TIMEOUT: duration({ min: '1s', max: '1h' })
    .prefault('5m')
    .describe('how long one request to the language model, or the rules for a whole call, may take, 1s to 1h'),
  ANALYSIS_API_KEY: z.string().optional().describe('the key of the server at ANALYSIS_BASE_URL, if it needs one'),
  ANALYSIS_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('an OpenAI-compatible endpoint for the analysis, ending in /v1; OPENAI_BASE_URL when not set'),
  OPENAI_API_KEY: z.string().optional().describe('a key for OpenAI, or for the server at OPENAI_BASE_URL'),
  OPENAI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('an OpenAI-compatible endpoint ending in /v1'),
});

export type AnalysisSettings = z.infer<typeof analysisSettings>;
