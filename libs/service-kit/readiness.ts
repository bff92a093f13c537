/** One thing that must work. @returns null when it does, otherwise why not, in a few words */
export type Check = () => string | null | Promise<string | null>;

const ANSWER_WITHIN_MS = 2_000;

/** Asks all at once. @returns why it cannot work, one reason for each check that says so, fails or does not answer within two seconds; empty when all is well */
export async function whyNotReady(checks: readonly Check[]): Promise<string[]> {
  const answers = await Promise.all(checks.map(reasonOf));
  return answers.filter((reason) => reason !== null);
}

/** @returns what the check says; also when it fails or does not answer within two seconds */
export async function reasonOf(check: Check): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${ANSWER_WITHIN_MS} ms`), ANSWER_WITHIN_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return 'a check failed';
  } finally {
    clearTimeout(timer);
  }
}
