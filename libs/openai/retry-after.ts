const DEFAULT_MS = 20_000;
/** However long a vendor asks to wait, it is asked again after this: limits get raised, and headers can be wrong. */
const LONGEST_MS = 60 * 60_000;

/**
 * When to ask again after a 429 or 503: what the headers say, else the sentence "Please try again in 1m30s", else in 20 seconds.
 * @param headers `retry-after-ms`, `retry-after` (seconds or an HTTP date, RFC 9110 10.2.3), `x-ratelimit-reset-*` (durations such as 20ms, 6m0s), which count
 * only for a limit of which nothing remains
 * @returns a time after `now`, at most an hour away
 */
export function retryAt(headers: Headers | undefined, message: string, now: Date): Date {
  const waitMs =
    fromHeaders(headers, now) ??
    durationMs(/try again in ([\d.hms]+)/i.exec(message)?.[1]?.replace(/\.$/, '')) ??
    DEFAULT_MS;
  return new Date(now.getTime() + Math.min(LONGEST_MS, Math.max(1, Math.ceil(waitMs))));
}

function fromHeaders(headers: Headers | undefined, now: Date): number | null {
  if (headers === undefined) return null;
  const ms = number(headers.get('retry-after-ms'));
  if (ms !== null) return ms;
  const after = headers.get('retry-after');
  const seconds = number(after);
  if (seconds !== null) return seconds * 1000;
  const date = after === null ? Number.NaN : Date.parse(after);
  if (!Number.isNaN(date)) return date - now.getTime();
  const resets = ['requests', 'tokens']
    .filter((limit) => number(headers.get(`x-ratelimit-remaining-${limit}`)) === 0)
    .map((limit) => durationMs(headers.get(`x-ratelimit-reset-${limit}`)) ?? 0);
  const longest = Math.max(0, ...resets);
  return longest > 0 ? longest : null;
}

function number(text: string | null): number | null {
  return text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

const UNIT_MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** `6m0s`, `1h2m3.5s`, `20ms`. @returns null for anything else */
function durationMs(text: string | null | undefined): number | null {
  if (text === null || text === undefined || !/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(text)) return null;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g))
    sum += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  return sum;
}
