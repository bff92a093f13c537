export * from './http.ts';
export * from './messages.ts';
export * from './states.ts';
export * from './topology.ts';
