export { createDispatcher, dispatcherSettings } from './dispatcher.ts';
