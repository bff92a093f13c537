import { Code } from '@mantine/core';
import { Fragment } from 'react';

/** Text with `code` in it. */
export function Prose({ children }: { children: string }) {
  return children.split(/`([^`]+)`/).map((part, at) => {
    const key = `${at} ${part}`;
    return at % 2 === 1 ? <Code key={key}>{part}</Code> : <Fragment key={key}>{part}</Fragment>;
  });
}
