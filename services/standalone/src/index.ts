export * from './settings.ts';
export * from './standalone.ts';
