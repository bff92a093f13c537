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

/** `500ms`, `90s`, `30m`, `24h` or `7d`, as milliseconds. */
export function duration() {
  return z
    .string()
    .regex(/^\d+(ms|s|m|h|d)$/, 'must be a duration such as 500ms, 90s, 30m, 24h or 7d')
    .transform((text) => Number.parseInt(text, 10) * (DURATION_UNITS_MS[text.replace(/^\d+/, '')] ?? Number.NaN));
}

const SIZE_UNITS: Record<string, number> = { '': 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/** `1048576`, `25MB` or `2GiB`, as bytes. */
export function byteSize() {
  return z
    .string()
    .regex(/^\d+(kB|MB|GB|KiB|MiB|GiB)?$/, 'must be a size such as 1048576, 25MB or 2GiB')
    .transform((text) => Number.parseInt(text, 10) * (SIZE_UNITS[text.replace(/^\d+/, '')] ?? Number.NaN));
}

/**
 * Reads a service's settings from the environment. An empty variable counts as unset.
 * @param schema one entry per variable; its `.describe()` text says what is allowed
 * @param env the environment, `process.env` by default
 * @throws SettingsError naming each wrong variable, the value it has and what is allowed. Values of variables whose name ends in KEY, SECRET, TOKEN or PASSWORD are not shown.
 */
export function readSettings<S extends z.ZodObject>(schema: S, env: Record<string, string | undefined> = process.env): z.infer<S> {
  const given = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, env[name] === '' ? undefined : env[name]]));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0] ?? 'settings');
    const value = given[name];
    const shown =
      value === undefined ? 'is not set' : /(KEY|SECRET|TOKEN|PASSWORD)$/.test(name) ? 'has a wrong value' : `is ${JSON.stringify(value)}`;
    const field = schema.shape[name] as z.ZodType | undefined;
    const allowed = field?.description === undefined ? '' : ` (${field.description})`;
    return `${name} ${shown}: ${issue.message}${allowed}`;
  });
  throw new SettingsError(`Wrong settings:\n${[...new Set(lines)].map((line) => `  ${line}`).join('\n')}`);
}
