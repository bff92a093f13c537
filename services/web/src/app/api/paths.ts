import type { paths as Api } from './generated/api.ts';
import type { paths as App } from './generated/app.ts';

/** Every address of both APIs, with what it takes and gives. */
export type Paths = Api & App;
