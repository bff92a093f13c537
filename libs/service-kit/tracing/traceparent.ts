// version 00: https://www.w3.org/TR/trace-context/#traceparent-header-field-values
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** @param given a W3C traceparent of any version, as received @returns it in version 00; null when it is invalid */
export function readTraceparent(given: string | null | undefined): string | null {
  if (given == null) return null;
  const [, version, traceId, spanId, flags = '', more] = TRACEPARENT.exec(given) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(`${traceId}`) || /^0+$/.test(`${spanId}`)) return null;
  // Of an unknown version, only the flag "sampled" is known.
  return `00-${traceId}-${spanId}-${version === '00' ? flags : flagsText(Number.parseInt(flags, 16) & SAMPLED)}`;
}

export function flagsText(flags: number): string {
  return flags.toString(16).padStart(2, '0');
}

/** @param traceparent one that `readTraceparent` gave */
export function partsOf(traceparent: string): { traceId: string; spanId: string; traceFlags: number } {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}
