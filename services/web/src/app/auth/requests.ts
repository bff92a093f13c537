import type { Installation, Session } from '@call-analytics/contracts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { answered, api, isTransient, ProblemError } from '../api/client.ts';
import { safeNext } from '../api/connection.ts';

/** Backoff after a transient failure. */
const PAUSES_MS = [500, 1_000];

interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  retry(): void;
}

/** Loads something when the page opens. @param load a stable function that is safe to call twice; null loads nothing */
export function useLoaded<T>(load: (() => Promise<T>) | null): Loaded<T> {
  const [state, setState] = useState<{ data: T | undefined; error: unknown }>({ data: undefined, error: null });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a reason to load again.
  useEffect(() => {
    if (load === null) return;
    let isOpen = true;
    tried(load).then(
      (data) => isOpen && setState({ data, error: null }),
      (error: unknown) => isOpen && setState({ data: undefined, error }),
    );
    return () => {
      isOpen = false;
    };
  }, [load, round]);
  return { ...state, retry: useCallback(() => setRound((last) => last + 1), []) };
}

async function tried<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await load();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return load();
}

interface Action {
  run(): void;
  isRunning: boolean;
  isDone: boolean;
  error: unknown;
}

/** Runs an action on demand, one at a time. */
export function useAction<T>(act: () => Promise<T>, onDone?: (answer: T) => void): Action {
  const [state, setState] = useState({ isRunning: false, isDone: false, error: null as unknown });
  const isRunning = useRef(false);
  const run = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isRunning: true, isDone: false, error: null });
    try {
      const answer = await act();
      setState({ isRunning: false, isDone: true, error: null });
      onDone?.(answer);
    } catch (error) {
      setState({ isRunning: false, isDone: false, error });
    } finally {
      isRunning.current = false;
    }
  };
  return { ...state, run: () => void run() };
}

/** What the installation allows. */
export function loadInstallation(): Promise<Installation> {
  return answered(api.GET('/app/installation'));
}

/** The session, or null if no user is signed in. */
export async function loadSession(): Promise<Session | null> {
  try {
    return await answered(api.GET('/app/session'));
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return null;
    throw error;
  }
}

/** Redirects users who are already signed in. @returns the address after sign-in, as the link has it */
export function useSignedOutOnly(): string | undefined {
  const next = new URLSearchParams(location.search).get('next') ?? undefined;
  const { data: session } = useLoaded(loadSession);
  useEffect(() => {
    if (session) location.replace(safeNext(next, location.origin));
  }, [session, next]);
  return next;
}

/** Reads the fragment of a one-time link, which no server sees. @param hash e.g. `#token=…&next=%2Fcalls` */
export function readFragment(hash: string): { token: string | null; next: string | null; email: string | null } {
  const said = new URLSearchParams(hash.replace(/^#/, ''));
  return { token: said.get('token') || null, next: said.get('next'), email: said.get('email') };
}
