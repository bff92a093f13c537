import { useState } from 'react';

const KEY = 'drafts';

/** Unsaved text by form field. It survives a change of page and a reload by `reloadPage`. */
const drafts = new Map<string, string>(restored());

/**
 * The text of a form field.
 * @param key of the field and of the user, so that nobody else gets the text
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
export function saveDrafts(): void {
  try {
    if (drafts.size > 0) sessionStorage.setItem(KEY, JSON.stringify([...drafts]));
  } catch {
    // A browser without storage keeps no drafts.
  }
}

function restored(): [string, string][] {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    sessionStorage.removeItem(KEY);
    return Array.isArray(saved) ? saved.filter(isDraft) : [];
  } catch {
    return [];
  }
}

function isDraft(saved: unknown): saved is [string, string] {
  return Array.isArray(saved) && saved.length === 2 && saved.every((each) => typeof each === 'string');
}
