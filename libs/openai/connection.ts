/**
 * Codes of errors that come before a request is sent: name resolution, the connection, TLS.
 * https://nodejs.org/api/errors.html#common-system-errors, https://github.com/nodejs/undici/blob/main/docs/docs/api/Errors.md
 */
const BEFORE_THE_REQUEST =
  /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|UNABLE_TO_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+)$/;

/** The endpoint was not reached: no request was sent. */
class NotConnected extends Error {
  override name = 'NotConnected';
  readonly reason: string;

  constructor(reason: string) {
    // Without the reason, which may say "timeout": see `fetchOrNotConnected`.
    super('the endpoint could not be reached');
    this.reason = reason;
  }
}

/**
 * fetch, with an error of its own when there is no connection. The SDK reports every error whose text says "timeout" as a
 * timed-out request and drops the cause, so a connect time-out must not be among those.
 */
export async function fetchOrNotConnected(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const code = codeOf(error);
    if (code === null || !BEFORE_THE_REQUEST.test(code)) throw error;
    throw new NotConnected(code);
  }
}

/** @returns whether this error, or one that caused it, says that no request was sent */
export function neverConnected(error: unknown): boolean {
  return causes(error).some(({ name }) => name === 'NotConnected');
}

function codeOf(error: unknown): string | null {
  const found = causes(error).find(({ code }) => typeof code === 'string');
  if (found === undefined) return null;
  return found.syscall === 'connect' && found.code === 'ETIMEDOUT' ? 'UND_ERR_CONNECT_TIMEOUT' : String(found.code);
}

interface Fields {
  name?: unknown;
  code?: unknown;
  syscall?: unknown;
  cause?: unknown;
}

/** The error, and what caused it. By their fields and not by class: errors may come from another realm. */
function causes(error: unknown): Fields[] {
  const found: Fields[] = [];
  for (let at = error; typeof at === 'object' && at !== null && found.length < 10; at = (at as Fields).cause)
    found.push(at);
  return found;
}
