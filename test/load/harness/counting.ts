import type { CallStore } from '@call-analytics/calls';

/** Has every question to the store counted. */
export function counting(store: CallStore): { store: CallStore; count(): number } {
  let count = 0;
  const counted = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        count += 1;
        return member.apply(target, args);
      };
    },
  });
  return { store: counted, count: () => count };
}
