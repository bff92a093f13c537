import { z } from 'zod';
import type { EngineAnswer } from '../engine.ts';
import { languageCode } from './languages.ts';

const Segment = z.object({ start: z.number(), end: z.number(), text: z.string() });

/** The three shapes in one: plain JSON, verbose_json and diarized_json. Servers other than OpenAI's leave things out. */
const Answer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  languages: z.array(z.object({ code: z.string() })).nullish(),
  segments: z.array(Segment).nullish(),
  usage: z.looseObject({ input_tokens: z.number().optional(), output_tokens: z.number().optional() }).nullish(),
});

/** @throws ZodError when it is no answer to a transcription */
export function readAnswer(answer: unknown): EngineAnswer {
  const { text, language, languages, segments, usage } = Answer.parse(answer);
  const said = languages?.[0]?.code ?? language ?? null;
  return {
    text: text.trim(),
    ...(segments === null || segments === undefined || segments.length === 0
      ? {}
      : { utterances: segments.map(asUtterance) }),
    language: said === null ? null : languageCode(said),
    ...(usage?.input_tokens === undefined
      ? {}
      : { tokens: { input: usage.input_tokens, output: usage.output_tokens ?? 0 } }),
  };
}

/** A diarized segment's speaker is left out: its labels restart in every request, so they say nothing about the call. */
function asUtterance({ start, end, text }: z.infer<typeof Segment>): { startMs: number; endMs: number; text: string } {
  return { startMs: Math.round(start * 1000), endMs: Math.round(end * 1000), text: text.trim() };
}
