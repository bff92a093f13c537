import {
  type ComponentProps,
  type ComponentType,
  cloneElement,
  type FunctionComponent,
  type ReactElement,
  type ReactNode,
  use,
  useEffect,
  useRef,
  useState,
} from 'react';
import { reportUnreachable, waitUntilReachable } from '../api/connection.ts';
import { loadMissingStyles } from './styles.ts';

/** Backoff between attempts to load a chunk. The last pause repeats during an outage. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000];
/** Attempts while the server is reachable. A browser may cache the failure until a reload. */
const ATTEMPTS = 4;

/** The page cannot load a chunk without a reload: a deployment replaced it, or the browser cached a failure. */
export class ReloadNeededError extends Error {
  override readonly name = 'ReloadNeededError';
}

/**
 * Loads a chunk on demand. While the server is unavailable it waits and tries again.
 * @param importer the dynamic import
 * @returns loads it once; after a failure the next call tries again
 * @throws ReloadNeededError from the returned function
 */
function chunk<T>(importer: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load(importer).catch((error) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

async function load<T>(importer: () => Promise<T>): Promise<T> {
  let failures = 0;
  for (let tries = 0; ; tries += 1) {
    try {
      const loaded = await importer();
      await loadMissingStyles();
      return loaded;
    } catch (error) {
      const served = await servedEntry();
      if (served === 'unreachable') reportUnreachable();
      else if (served !== 'unavailable') {
        failures += 1;
        if (served !== thisEntry() || failures === ATTEMPTS)
          throw new ReloadNeededError('a chunk cannot be loaded', { cause: error });
      }
      await Promise.all([waitUntilReachable(), pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 8_000)]);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * A page in its own chunk, as the `component` of a route.
 * @param name of the component in its module; untyped, because its type would depend on the routes and they on this
 */
export function lazyPage<N extends string>(importer: () => Promise<Record<N, unknown>>, name: N) {
  const get = chunk(async () => (await importer())[name] as FunctionComponent);
  let Loaded: FunctionComponent | null = null;
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each chunk, when its module is evaluated.
  const Page: FunctionComponent & { preload?: () => Promise<void> } = () => {
    const Shown = Loaded ?? use(get());
    return <Shown />;
  };
  // The router awaits it before it shows the page, and calls it on hover. A loaded page needs no wait.
  Page.preload = async () => {
    Loaded = await get();
    delete Page.preload;
  };
  return Page;
}

/**
 * A part of a page in its own chunk.
 * @param instead shown until it is loaded
 * @param isOptional whether the page works without it; otherwise a failure is an error of the page
 */
export function lazyPart<P extends object>(
  importer: () => Promise<ComponentType<P>>,
  {
    instead = null,
    isOptional = false,
  }: { instead?: ReactNode | ((props: P) => ReactNode); isOptional?: boolean } = {},
): ComponentType<P> {
  const get = chunk(importer);
  let known: ComponentType<P> | null = null;
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each chunk, when its module is evaluated.
  return function Part(props: P) {
    const [Loaded, setLoaded] = useState(() => known);
    const [error, setError] = useState<unknown>(null);
    useEffect(() => {
      if (known !== null) return;
      get().then((loaded) => {
        known = loaded;
        setLoaded(() => loaded);
      }, setError);
    }, []);
    if (error !== null && !isOptional) throw error;
    if (Loaded !== null) return <Loaded {...props} />;
    return typeof instead === 'function' ? instead(props) : instead;
  };
}

/** What `lazyMenu` needs: the button is shown before the menu is loaded, and by the menu. */
export interface WithButton {
  button: ReactElement<ComponentProps<'button'>>;
}

/** A menu in its own chunk, loaded when its button is first pressed. It opens itself with `useOpening`. */
export function lazyMenu<P extends WithButton>(importer: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Menu = lazyPart(importer, { instead: ({ button }) => button, isOptional: true });
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each chunk, when its module is evaluated.
  return function LazyMenu(props: P) {
    const [isWanted, setWanted] = useState(false);
    if (isWanted) return <Menu {...props} />;
    return cloneElement(props.button, { 'aria-expanded': false, onClick: () => setWanted(true) });
  };
}

/** Opens a menu with the focus on its button, so that the focus returns there when the menu closes. */
export function useOpening({ button }: WithButton) {
  const ref = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    ref.current?.focus();
    setOpen(true);
  }, []);
  return { opened: isOpen, onChange: setOpen, target: cloneElement(button, { ref }) };
}

const KEY = 'reloaded-at';
/** The least time between automatic reloads: during a deployment a reload may get the old version again. */
const RELOAD_DISTANCE_MS = 5 * 60_000;
const ENTRY = /<script\b[^>]*\btype="module"[^>]*\bsrc="([^"]+)"/;

/** The entry script of this page. Its name changes with every deployment. */
function thisEntry(): string | null {
  return document.querySelector('script[type=module][src]')?.getAttribute('src') ?? null;
}

/**
 * @returns the entry script that the server names now; `unreachable` without a response, `unavailable` without a page
 */
async function servedEntry(): Promise<string> {
  try {
    const response = await fetch('/', { cache: 'no-store' });
    const entry = response.ok ? ENTRY.exec(await response.text())?.[1] : undefined;
    return entry ?? 'unavailable';
  } catch {
    return 'unreachable';
  }
}

/** Reloads the page and keeps drafts. */
export function reloadPage(): void {
  saveDrafts();
  location.reload();
}

/** Reloads the page unless it did so recently. @returns whether it reloads */
export function reloadOnce(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < RELOAD_DISTANCE_MS) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without storage a loop would go unnoticed.
    return false;
  }
  reloadPage();
  return true;
}

const DRAFTS = 'drafts';

/** Unsaved text by form field. It survives a change of page and a reload by `reloadPage`. */
const drafts = new Map<string, string>(restored());

/**
 * The text of a form field.
 * @param key of the field and of the user, so that no other user gets the text
 * @param initial what the field shows without a draft
 * @returns the text, a function that changes it, and one that forgets the draft after it was saved
 */
export function useDraft(
  key: string,
  initial = '',
): [text: string, change: (text: string) => void, forget: () => void] {
  const [text, setText] = useState(() => drafts.get(key) ?? initial);
  const change = (next: string) => {
    setText(next);
    if (next === initial) drafts.delete(key);
    else drafts.set(key, next);
  };
  return [text, change, () => drafts.delete(key)];
}

/** Before a reload. */
function saveDrafts(): void {
  try {
    if (drafts.size > 0) sessionStorage.setItem(DRAFTS, JSON.stringify([...drafts]));
  } catch {
    // A browser without storage keeps no drafts.
  }
}

function restored(): [string, string][] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(DRAFTS) ?? '[]');
    sessionStorage.removeItem(DRAFTS);
    return Array.isArray(saved) ? saved.filter(isDraft) : [];
  } catch {
    return [];
  }
}

function isDraft(saved: unknown): saved is [string, string] {
  return Array.isArray(saved) && saved.length === 2 && saved.every((each) => typeof each === 'string');
}
