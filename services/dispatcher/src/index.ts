export { createDispatcher } from './dispatcher.ts';
export { type DispatcherSettings, dispatcherSettings } from './settings.ts';
