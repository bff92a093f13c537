/** @returns what the fragment of a one-time link says; no server has seen it. @param hash e.g. `#token=…&next=%2Fcalls` */
export function readFragment(hash: string): { token: string | null; next: string | null; email: string | null } {
  const said = new URLSearchParams(hash.replace(/^#/, ''));
  return { token: said.get('token') || null, next: said.get('next'), email: said.get('email') };
}
