export * from './app.ts';
export * from './catalogue.ts';
export * from './http.ts';
export * from './messages.ts';
export * from './report.ts';
export * from './sound.ts';
export * from './states.ts';
export * from './topology.ts';
