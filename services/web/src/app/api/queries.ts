import type { Session } from '@call-analytics/contracts';
import { QueryClient, queryOptions } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { answered, api, isTransient, type Paths, ProblemError } from './client.ts';
import { ExternalStore } from './connection.ts';

/** Query keys. A key invalidates all queries that begin with it: `invalidateQueries({ queryKey: keys.calls })`. */
export const keys = {
  installation: ['installation'],
  session: ['session'],
  calls: ['calls'],
  eachCall: ['call'],
  call: (id: string) => ['call', id],
  overview: ['overview'],
  trackers: ['trackers'],
  scorecard: ['scorecard'],
  apiKeys: ['keys'],
  vocabulary: ['vocabulary'],
  spending: ['spending'],
  members: ['members'],
  invitations: ['invitations'],
} as const;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The server may be on this machine, so the browser's network state does not matter.
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) => isTransient(error) && failures < 2,
      retryDelay: (failures, error) => (error instanceof ProblemError && error.retryAfterMs) || 500 * 2 ** failures,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

export const installationQuery = queryOptions({
  queryKey: keys.installation,
  queryFn: ({ signal }) => answered(api.GET('/app/installation', { signal })),
  staleTime: 60_000,
});

type Part = 'analyses' | 'corrections' | 'costs' | 'evidence' | 'progress' | 'scorecard' | 'speakers' | 'trackers';
type AnswerOf<P extends Part> =
  Paths[`/api/v1/calls/{id}/${P}`]['get']['responses'][200]['content']['application/json'];

/** What the API says of a call beside its report, such as its speakers. It is refetched with the call. */
export function callPartQuery<P extends Part>(id: string, part: P) {
  const path: `/api/v1/calls/{id}/${Part}` = `/api/v1/calls/{id}/${part}`;
  return queryOptions({
    queryKey: [...keys.call(id), part],
    queryFn: ({ signal }) =>
      answered(api.GET(path, { params: { path: { id } }, signal })) as Promise<unknown> as Promise<AnswerOf<P>>,
  });
}

/** The session, or null if no user is signed in. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await answered(api.GET('/app/session', { signal }));
    } catch (error) {
      if (error instanceof ProblemError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
});

const POLL_MS = 5_000;
/** Also with live updates, in case one is lost. */
const RARE_POLL_MS = 30_000;
const RECONNECT_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
/** Changes within this time cause one refetch. */
const GATHER_MS = 150;

/** Whether the event stream is open. */
const live = new ExternalStore(false);

/**
 * How often to refetch. Pass it to a query as `refetchInterval`.
 * @param unfinished whether a visible call is in progress
 */
export function usePolling(unfinished: boolean): number | false {
  const isLive = useSyncExternalStore(live.subscribe, live.get);
  if (!unfinished) return false;
  return isLive ? RARE_POLL_MS : POLL_MS;
}

/**
 * Refetches what the server says has changed. Reconnects after an error; pages poll in between.
 * @returns a function that stops it
 */
export function followChanges(client: QueryClient): () => void {
  const changed = new Set<string>();
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let reconnecting: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let source: EventSource | null = null;

  const look = () => {
    gathering = undefined;
    for (const id of changed) void client.invalidateQueries({ queryKey: keys.call(id) });
    changed.clear();
    void client.invalidateQueries({ queryKey: keys.calls });
    void client.invalidateQueries({ queryKey: keys.overview });
  };
  const hear = (event: MessageEvent<string>) => {
    changed.add((JSON.parse(event.data) as { callId: string }).callId);
    gathering ??= setTimeout(look, GATHER_MS);
  };
  const connect = () => {
    source = new EventSource('/app/events');
    source.addEventListener('change', hear);
    source.onopen = () => {
      // Events were missed in between.
      if (tries > 0) look();
      tries = 0;
      live.set(true);
    };
    source.onerror = () => {
      // The stream also ends with the session.
      if (live.get()) void client.invalidateQueries({ queryKey: keys.session });
      live.set(false);
      source?.close();
      reconnecting = setTimeout(connect, RECONNECT_MS[Math.min(tries, RECONNECT_MS.length - 1)]);
      tries += 1;
    };
  };
  connect();
  return () => {
    clearTimeout(gathering);
    clearTimeout(reconnecting);
    source?.close();
    live.set(false);
  };
}
