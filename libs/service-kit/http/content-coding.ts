/** A content coding that this product sends (RFC 9110, 8.4.1). */
export type ContentCoding = 'br' | 'gzip';

/**
 * The first of the codings that the client accepts. Weights are not compared, except for 0, which is a refusal
 * (RFC 9110, 12.5.3).
 * @param accepted the header `Accept-Encoding`
 * @param available in the order of preference
 * @returns null when the answer must be sent as it is
 */
export function contentCoding<C extends ContentCoding>(
  accepted: string | undefined,
  available: readonly C[],
): C | null {
  const wanted = new Map(
    (accepted ?? '').split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))] as const;
    }),
  );
  return available.find((coding) => wanted.get(coding) === true) ?? null;
}
