export * from './app.ts';
export * from './call-parts.ts';
export * from './catalogue.ts';
export * from './http.ts';
export * from './messages.ts';
export * from './states.ts';
export * from './trackers.ts';
export * from './vocabulary.ts';
