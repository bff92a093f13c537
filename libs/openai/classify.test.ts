import type { Failure } from '@call-analytics/service-kit';
import { describe, expect, it } from '@jest/globals';
import { error, failureOf, json, NOW } from './endpoint.fixture.ts';

const RATE_LIMIT = error(
  'Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 28770, Requested 3000. Please try again in 3.54s. Visit https://platform.openai.com/account/rate-limits to learn more.',
  'rate_limit_exceeded',
  null,
  'tokens',
);

describe('an answer of 429', () => {
  const waits: [string, Record<string, string>, unknown, number][] = [
    ['Retry-After in seconds', { 'retry-after': '7' }, RATE_LIMIT, 7_000],
    ['Retry-After as a date', { 'retry-after': 'Sat, 21 Nov 2026 12:01:30 GMT' }, RATE_LIMIT, 90_000],
    ['a date that is past, at once', { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, RATE_LIMIT, 1],
    ['retry-after-ms before Retry-After', { 'retry-after-ms': '350', 'retry-after': '1' }, RATE_LIMIT, 350],
    [
      'the reset of the limit that is used up',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '1m2.5s',
        'x-ratelimit-remaining-tokens': '4000',
        'x-ratelimit-reset-tokens': '6m0s',
      },
      RATE_LIMIT,
      62_500,
    ],
    ['the sentence in the message', {}, RATE_LIMIT, 3_540],
    ['20 seconds when nothing is said', {}, error('Too many requests', 'slow_down', null, 'rate_limit_error'), 20_000],
    ['20 seconds when the header makes no sense', { 'retry-after': 'soon' }, error('Too many requests'), 20_000],
    ['an hour at most', { 'retry-after': '99999999' }, RATE_LIMIT, 3_600_000],
  ];
  it.each(waits)('waits by %s', async (_name, headers, body, ms) => {
    expect(await failureOf(json(429, body, headers))).toEqual({
      kind: 'rate-limited',
      code: 'engine_rate_limited',
      message: expect.any(String),
      until: new Date(NOW.getTime() + ms),
    });
  });

  const quota = 'You exceeded your current quota, please check your plan and billing details.';
  it.each([
    ['insufficient_quota', error(quota, 'insufficient_quota', null, 'insufficient_quota')],
    ['no code but its type', error(quota, null, null, 'insufficient_quota')],
    ['credit_balance_exhausted', error(quota, 'credit_balance_exhausted', null, 'insufficient_quota')],
    ['project_spend_limit_exceeded', error(quota, 'project_spend_limit_exceeded')],
    [
      'billing_not_active',
      error(
        'Your account is not active, please check your billing details on our website.',
        'billing_not_active',
        null,
        'billing_not_active',
      ),
    ],
  ])('means an empty account with %s, even when a Retry-After comes with it', async (_name, body) => {
    expect(await failureOf(json(429, body, { 'retry-after': '1' }))).toMatchObject({
      kind: 'out-of-quota',
      code: 'engine_out_of_quota',
    });
  });
});

// Bodies as the API sends them: its error guide, and answers that users have published in issue trackers.
describe('an answer that refuses', () => {
  const undecodable = 'The audio file could not be decoded or its format is not supported.';
  const cases: [string, number, unknown, Failure['kind'], string][] = [
    [
      'a wrong key',
      401,
      error('Incorrect API key provided: sk-abc***xyz.', 'invalid_api_key'),
      'out-of-quota',
      'engine_key_refused',
    ],
    [
      'a country',
      403,
      error(
        'Country, region, or territory not supported',
        'unsupported_country_region_territory',
        null,
        'request_forbidden',
      ),
      'out-of-quota',
      'engine_key_refused',
    ],
    ['an unpaid account of another vendor', 402, { error: 'Payment Required' }, 'out-of-quota', 'engine_out_of_quota'],
    [
      'an unknown model',
      404,
      error('The model `gpt-9` does not exist or you do not have access to it.', 'model_not_found'),
      'out-of-quota',
      'engine_misconfigured',
    ],
    [
      'a model the project may not use',
      403,
      error('Project `proj_x` does not have access to model `gpt-9`', 'model_not_found'),
      'out-of-quota',
      'engine_misconfigured',
    ],
    ['a path that is not there', 404, { detail: 'Not Found' }, 'out-of-quota', 'engine_misconfigured'],
    [
      'a parameter',
      400,
      error(
        "Unsupported parameter: 'temperature' is not supported with this model.",
        'unsupported_parameter',
        'temperature',
      ),
      'out-of-quota',
      'engine_misconfigured',
    ],
    [
      'a response format',
      400,
      error(
        "response_format 'verbose_json' is not compatible with model 'gpt-4o-transcribe-api-ev3'. Use 'json' or 'text' instead.",
        'unsupported_value',
        'response_format',
      ),
      'out-of-quota',
      'engine_misconfigured',
    ],
    [
      'a model that was shut down',
      400,
      error('The model `gpt-4` has been deprecated'),
      'out-of-quota',
      'engine_misconfigured',
    ],
    ['a recording it cannot decode', 400, error(undecodable), 'rejected', 'audio_refused'],
    [
      'a recording by its format',
      400,
      error("Invalid file format. Supported formats: ['flac', 'm4a', 'mp3']"),
      'rejected',
      'audio_refused',
    ],
    [
      'a recording under another parameter name',
      400,
      error('This model does not support the format you provided.', 'unsupported_format', 'messages'),
      'rejected',
      'audio_refused',
    ],
    [
      'a damaged recording',
      400,
      error('Audio file might be corrupted or unsupported', 'invalid_value', 'file'),
      'rejected',
      'audio_refused',
    ],
    [
      'a recording of nothing',
      400,
      error('Audio file is too short. Minimum audio length is 0.1 seconds.', 'audio_too_short', 'file'),
      'rejected',
      'audio_refused',
    ],
    [
      'a piece that is too long',
      400,
      error(
        'audio duration 1500.012 seconds is longer than 1400 seconds which is the maximum for this model',
        'invalid_value',
        'file',
      ),
      'bug',
      'engine_piece_too_large',
    ],
    [
      'a piece that is too large',
      413,
      error('413: Maximum content size limit (26214400) exceeded (26294972 bytes read)', null, null, 'server_error'),
      'bug',
      'engine_piece_too_large',
    ],
    [
      'a prompt that is too long',
      400,
      error("This model's maximum context length is 128000 tokens.", 'context_length_exceeded', 'messages'),
      'rejected',
      'call_too_long_for_model',
    ],
    [
      'content by policy',
      400,
      error('Invalid prompt: your prompt was flagged', 'invalid_prompt'),
      'rejected',
      'engine_refused_content',
    ],
    [
      'something nobody understands',
      400,
      error('We could not parse the JSON body of your request.'),
      'bug',
      'engine_request_refused',
    ],
    ['something without a body', 422, null, 'bug', 'engine_request_refused'],
  ];
  it.each(cases)('%s (%i)', async (_name, status, body, kind, code) => {
    const failure = await failureOf(json(status, body));
    expect(failure).toMatchObject({ kind, code });
    expect(failure.message).not.toMatch(/sk-|proj_x|org-/);
  });
});

describe('what the owner of a call reads', () => {
  it.each([
    ['a wrong key', 401, error('Incorrect API key provided.', 'invalid_api_key')],
    ['an empty account', 402, { error: 'Payment Required' }],
    ['a wrong address', 404, { detail: 'Not Found' }],
    ['a call that is too long', 400, error('Too long', 'context_length_exceeded')],
  ])('names no setting: %s', async (_name, status, body) => {
    const { message } = await failureOf(json(status, body));
    expect(message).not.toMatch(/[A-Z]+_[A-Z_]+/);
    expect(message).toContain('this installation');
  });
});
