export * from './standalone.ts';
export * from './standalone.ts';
