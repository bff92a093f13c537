import type { StartedTestContainer } from 'testcontainers';

/** What `start.ts` started and `stop.ts` stops; both run in jest's own process. */
export const started: Pick<StartedTestContainer, 'stop' | 'getId'>[] = [];
