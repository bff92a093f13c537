// Apart from the others: the pages outside the application load no further texts.
export { common } from './en/common.ts';
export { session } from './en/session.ts';
export { shell } from './en/shell.ts';
