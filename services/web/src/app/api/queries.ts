import type { Session } from '@call-analytics/contracts';
import { QueryClient, queryOptions } from '@tanstack/react-query';
import { answered, api } from './client.ts';
import { mayPass, ProblemError } from './problem.ts';

/** Names what was asked of the server. What begins alike is looked at again together: `invalidateQueries({ queryKey: keys.calls })`. */
export const keys = {
  installation: ['installation'],
  session: ['session'],
  calls: ['calls'],
  call: (id: string) => ['call', id],
  overview: ['overview'],
  apiKeys: ['keys'],
  members: ['members'],
  invitations: ['invitations'],
} as const;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // What the browser thinks of the network does not matter: the server may be on this machine.
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) => mayPass(error) && failures < 2,
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

/** Who is signed in; null when nobody is. */
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
