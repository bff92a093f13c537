/** The codes that whisper.cpp knows; another one would make it guess without saying so. https://github.com/ggml-org/whisper.cpp/blob/master/src/whisper.cpp (`g_lang`) */
const CODES = new Set(
  (
    'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs ' +
    'kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su yue'
  ).split(' '),
);

/**
 * @param languages those that may be spoken, as BCP 47
 * @returns the code to give to whisper when there is only one and whisper knows it, otherwise `auto`: it takes one or none
 */
export function whisperLanguage(languages: readonly string[], multilingual: boolean): string {
  if (!multilingual) return 'en';
  const codes = new Set(languages.map((language) => language.toLowerCase().replace(/-.*/, '')));
  const [only = 'auto'] = codes;
  const code = only === 'jv' ? 'jw' : only;
  return codes.size === 1 && CODES.has(code) ? code : 'auto';
}

/** @param code as whisper says it @returns BCP 47 */
export function languageTag(code: string): string | null {
  return CODES.has(code) ? (Intl.getCanonicalLocales(code)[0] ?? null) : null;
}
