import { modelFacts } from './models.ts';

/**
 * What a request probably cost: by the list price of a model of that name, whoever serves it, without discounts for cached prompts or batches.
 * @param used seconds of audio and tokens, as far as they are known
 * @returns US dollars; null when the price of the model, or what it is charged by, is not known
 */
export function estimatedDollars(
  model: string,
  used: { seconds?: number; tokens?: { input: number; output: number } },
): number | null {
  const price = modelFacts(model)?.price;
  if (price === undefined) return null;
  if ('minute' in price) return used.seconds === undefined ? null : (used.seconds / 60) * price.minute;
  if (used.tokens === undefined) return null;
  const { input, output } = used.tokens;
  const times = price.long !== undefined && input > price.long.beyondTokens ? price.long : { input: 1, output: 1 };
  return (input * price.millionInput * times.input + output * price.millionOutput * times.output) / 1e6;
}
