/**
 * An answer that is not 200, in the shape the API gives its errors (developers.openai.com/api/docs/guides/error-codes,
 * and answers users have published).
 */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    { type = 'invalid_request_error', param = null, code = null, headers = {} }: ErrorDetails = {},
  ) {
    super(message);
    this.status = status;
    this.body = { error: { message, type, param, code } };
    this.headers = headers;
  }
}

interface ErrorDetails {
  type?: string;
  param?: string | null;
  code?: string | null;
  headers?: Record<string, string>;
}

export function noKey(): ApiError {
  return new ApiError(
    401,
    "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys.",
  );
}

/** The API shows the ends of the key it was given, and so does this. */
export function wrongKey(key: string): ApiError {
  const shown = key.length > 12 ? `${key.slice(0, 7)}${'*'.repeat(5)}${key.slice(-4)}` : '*'.repeat(key.length);
  return new ApiError(
    401,
    `Incorrect API key provided: ${shown}. You can find your API key at https://platform.openai.com/account/api-keys.`,
    { code: 'invalid_api_key' },
  );
}

export function unknownModel(model: string): ApiError {
  return new ApiError(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
    code: 'model_not_found',
  });
}

export function missingParameter(param: string): ApiError {
  return new ApiError(400, `Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' });
}

export function unknownParameter(param: string): ApiError {
  return new ApiError(400, `Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' });
}

export function unsupportedParameter(param: string, instead = ''): ApiError {
  return new ApiError(400, `Unsupported parameter: '${param}' is not supported with this model.${instead}`, {
    param,
    code: 'unsupported_parameter',
  });
}

export function invalidValue(param: string, value: unknown, allowed: readonly string[]): ApiError {
  const names = allowed.map((name) => `'${name}'`).join(', ');
  return new ApiError(400, `Invalid value: '${String(value)}'. Supported values are: ${names}.`, {
    param,
    code: 'invalid_value',
  });
}

export function invalidType(param: string, expected: string): ApiError {
  return new ApiError(400, `Invalid type for '${param}': expected ${expected}.`, { param, code: 'invalid_type' });
}
