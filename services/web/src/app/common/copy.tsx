import { Button, type ButtonProps } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { texts } from '../texts/texts.ts';
import { CheckIcon, CopyIcon } from './icons.tsx';

/** Copies a text, and says so where it was asked. */
export function CopyButton({
  value,
  label = texts.common.copy,
  ...rest
}: { value: string; label?: string } & Omit<ButtonProps, 'children'>) {
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={copied ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
      {...rest}
      onClick={() => copy(value)}
    >
      <span aria-live="polite">{copied ? texts.common.copied : label}</span>
    </Button>
  );
}
