import type { CallOptions, CircuitBreaker } from './circuit-breaker/circuit-breaker.ts';

/**
 * How each method of a port goes: through the breaker, with its options, or straight on (those that do not ask the dependency, or must say how it is when the
 * circuit is open).
 */
export type Routes<Port> = { readonly [Method in keyof Port]: 'straight' | CallOptions };

/** @returns the port with a circuit breaker in front: it throws what the port throws, and CircuitOpen */
export function guarded<Port extends object>(port: Port, breaker: CircuitBreaker, routes: Routes<Port>): Port {
  const methods = port as Record<string, (...args: unknown[]) => unknown>;
  const entries = Object.entries(routes as Record<string, 'straight' | CallOptions>).map(([name, route]) => {
    const method = methods[name]?.bind(port);
    if (method === undefined) throw new Error(`the port has no ${name}`);
    if (route === 'straight') return [name, method] as const;
    return [name, (...args: unknown[]) => breaker.run(async () => method(...args), route)] as const;
  });
  return Object.fromEntries(entries) as Port;
}
