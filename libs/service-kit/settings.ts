import { z } from 'zod';

export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** A whole number from a setting's text. */
export function wholeNumber({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`);
}

const DURATION_UNITS_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * `500ms`, `90s`, `30m`, `24h` or `7d`, as milliseconds.
 * @param bounds as written in a setting. A timer that is set for more than 24d fires at once.
 *   https://nodejs.org/api/timers.html#settimeoutcallback-delay-args
 */
export function duration({ min = '0s', max = '3650d' }: { min?: string; max?: string } = {}) {
  const rule = `must be a duration such as 500ms, 90s, 30m, 24h or 7d, from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+(ms|s|m|h|d)$/, rule)
    .transform(milliseconds)
    .refine((ms) => ms >= milliseconds(min) && ms <= milliseconds(max), rule);
}

function milliseconds(text: string): number {
  return Number.parseInt(text, 10) * (DURATION_UNITS_MS[text.replace(/^\d+/, '')] ?? Number.NaN);
}

const BYTES: Record<string, number> = { '': 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** `1048576`, `25MB` or `2GiB`, as bytes. */
export function byteSize() {
  return z
    .string()
    .regex(/^\d+(kB|MB|GB|KiB|MiB|GiB)?$/, 'must be a size such as 1048576, 25MB or 2GiB')
    .transform((text) => Number.parseInt(text, 10) * (BYTES[text.replace(/^\d+/, '')] ?? Number.NaN))
    .refine(Number.isSafeInteger, 'must be a size that a computer can have');
}

/**
 * Reads a service's settings from the environment. An empty variable counts as unset.
 * @param schema one entry per variable; its `.describe()` text says what is allowed
 * @param env the environment, `process.env` by default
 * @throws SettingsError that names each wrong variable, its value and what is allowed. It hides the values of variables
 *   whose name ends in KEY, SECRET, TOKEN or PASSWORD, and credentials inside an address.
 */
export function readSettings<S extends z.ZodObject>(
  schema: S,
  env: Record<string, string | undefined> = process.env,
): z.infer<S> {
  return readBothSettings([schema, z.object({})], env)[0];
}

/** Reads the settings of two schemas: one error names all wrong variables. @throws SettingsError as `readSettings` */
export function readBothSettings<One extends z.ZodObject, Other extends z.ZodObject>(
  [one, other]: readonly [One, Other],
  env: Record<string, string | undefined> = process.env,
): [z.infer<One>, z.infer<Other>] {
  const [ours, theirs] = [parse(one, env), parse(other, env)];
  const wrong = new Set([...ours.wrong, ...theirs.wrong]);
  if (wrong.size > 0) throw new SettingsError(`Wrong settings:\n${[...wrong].map((line) => `  ${line}`).join('\n')}`);
  return [ours.data as z.infer<One>, theirs.data as z.infer<Other>];
}

function parse<S extends z.ZodObject>(
  schema: S,
  env: Record<string, string | undefined>,
): { data?: z.infer<S>; wrong: string[] } {
  const given = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, env[name] === '' ? undefined : env[name]]),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return { data: parsed.data, wrong: [] };
  const wrong = parsed.error.issues.map(({ path: [name], message }) => {
    if (name === undefined) return message;
    const field = schema.shape[String(name)] as z.ZodType | undefined;
    const allowed = field?.description === undefined ? '' : ` (${field.description})`;
    return `${String(name)} ${shown(String(name), given[String(name)])}: ${message}${allowed}`;
  });
  return { wrong };
}

function shown(name: string, value: string | undefined): string {
  if (value === undefined) return 'is not set';
  if (/(KEY|SECRET|TOKEN|PASSWORD)$/.test(name)) return 'has a wrong value';
  // The address of a database or broker may carry its password.
  return `is ${JSON.stringify(value.replace(/\/\/[^@/]*@/g, '//[hidden]@'))}`;
}
