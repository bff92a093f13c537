import { ActionIcon, Button, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { ExternalStore } from '../api/connection.ts';
import { texts } from '../texts/index.ts';
import classes from './common.module.css';
import { AlertIcon, CheckIcon, CloseIcon } from './icons.tsx';

const SHOWN_MS = 4_000;
const MAX_NOTICES = 4;

interface Notice {
  title?: string;
  message: ReactNode;
  tone?: 'plain' | 'success' | 'error';
  /** A button that takes the focus, so that the keyboard reaches it at once. Ctrl+Z or ⌘Z presses it too. */
  undo?: { label: string; act(): void };
  /** Milliseconds, 4 seconds by default. */
  shownMs?: number;
}

const shown = new ExternalStore<readonly (Notice & { id: number })[]>([]);
let last = 0;

/** Shows a message over the page for a short time. */
export function notify(notice: Notice): void {
  last += 1;
  shown.set([...shown.get(), { ...notice, id: last }].slice(-MAX_NOTICES));
}

function close(id: number): void {
  shown.set(shown.get().filter((notice) => notice.id !== id));
}

/** Where messages appear. Mounted once. */
export function Notices() {
  const notices = useSyncExternalStore(shown.subscribe, shown.get);
  return (
    <section className={classes.notices} aria-label={texts.shell.notifications}>
      {notices.map((notice) => (
        <Shown key={notice.id} notice={notice} close={() => close(notice.id)} />
      ))}
    </section>
  );
}

function Shown({
  notice: { title, message, tone = 'plain', undo, shownMs = SHOWN_MS },
  close,
}: {
  notice: Notice;
  close(): void;
}) {
  const closing = useRef(close);
  closing.current = close;
  useEffect(() => {
    const timer = setTimeout(() => closing.current(), shownMs);
    return () => clearTimeout(timer);
  }, [shownMs]);
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'error' ? 'alert' : 'status'}>
      {tone === 'error' && <AlertIcon size={18} />}
      {tone === 'success' && <CheckIcon size={18} />}
      <div className={classes.words}>
        {title !== undefined && (
          <Text size="sm" fw={600}>
            {title}
          </Text>
        )}
        <Text size="sm" c={title === undefined ? undefined : 'dimmed'}>
          {message}
        </Text>
      </div>
      {undo !== undefined && <Undo {...undo} close={close} />}
      <ActionIcon size={28} aria-label={texts.common.close} onClick={close}>
        <CloseIcon size={16} />
      </ActionIcon>
    </div>
  );
}

function Undo({ label, act, close }: { label: string; act(): void; close(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  const press = useRef(() => {});
  press.current = () => {
    close();
    act();
  };
  useEffect(() => {
    const own = button.current;
    own?.focus({ preventScroll: true });
    const hear = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'z' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        isTyping(event.target)
      )
        return;
      event.preventDefault();
      press.current();
    };
    addEventListener('keydown', hear);
    return () => {
      removeEventListener('keydown', hear);
      // The focus must not get lost with the button.
      if (document.activeElement === own || document.activeElement === document.body)
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <Button
      ref={button}
      size="xs"
      variant="light"
      aria-keyshortcuts="Control+Z Meta+Z"
      // A key that is still held down after "Delete" must not press it.
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      onClick={() => press.current()}
    >
      {label}
    </Button>
  );
}

/** Where Ctrl+Z belongs to the text. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]):not([type=radio]), textarea'))
  );
}
