import type { Failure } from '@call-analytics/service-kit';
import type { OpenAI } from 'openai';

export type { OpenAI } from 'openai';
export { toFile } from 'openai';

/**
 * The one way to reach an OpenAI-compatible endpoint: no retries of the SDK's own (retrying is decided in one place), and a deadline for each call.
 * @param baseUrl an OpenAI-compatible endpoint ending in /v1; OpenAI's own by default
 * @param timeoutMs the deadline of one request
 */
export function openaiClient(_options: { apiKey: string; baseUrl?: string; timeoutMs: number }): OpenAI {
  throw new Error('being written');
}

/** Turns any error of a call to the endpoint into one of the closed set. @param now for Retry-After */
export function classifyOpenAiError(_error: unknown, _now: Date): Failure {
  throw new Error('being written');
}

/** What is known of a model: change the table, not the logic. */
export interface ModelFacts {
  /** The day it stops answering, YYYY-MM-DD; absent when none is announced. */
  shutdown?: string;
  transcription?: {
    maxBytes: number;
    maxSeconds: number;
    /** The answer is silently cut beyond this many seconds of speech. */
    safeSeconds: number;
    /** Parameter that names the expected languages. */
    languageParameter: 'language' | 'languages[]' | null;
    diarizes: boolean;
  };
}

/** @returns the facts of a model, or null for one that is not in the table */
export function modelFacts(_model: string): ModelFacts | null {
  throw new Error('being written');
}

/** @returns a sentence for the log when the model is past its shutdown or within 60 days of it, otherwise null */
export function shutdownWarning(_model: string, _today: Date): string | null {
  throw new Error('being written');
}
