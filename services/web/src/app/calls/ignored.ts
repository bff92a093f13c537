/** A parameter of the address that means nothing here, as it is shown to whoever opened the address. */
export function ignoredParameter(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return `${cut(name)}=${cut(text)}`;
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
