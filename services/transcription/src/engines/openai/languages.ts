/** The two-letter codes by the English name of their language: whisper-1 answers "english" where everyone else says "en". */
const CODES = codesByName();

/** @param said a language as an engine says it: a code or an English name @returns BCP 47, or null when it is neither */
export function languageCode(said: string): string | null {
  const lower = said.trim().toLowerCase();
  if (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(lower) && !CODES.has(lower))
    return Intl.getCanonicalLocales(lower)[0] ?? null;
  return CODES.get(lower) ?? null;
}

function codesByName(): Map<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const codes = [...letters].flatMap((first) => [...letters].map((second) => first + second));
  return new Map(
    codes.flatMap((code) => {
      const name = names.of(code);
      return name === undefined ? [] : [[name.toLowerCase(), Intl.getCanonicalLocales(code)[0] ?? code] as const];
    }),
  );
}
