import { Alert } from '@mantine/core';
import { texts } from '../texts/texts.ts';

/** What of the address was left out. */
export function IgnoredNotice({ ignored }: { ignored: readonly string[] }) {
  if (ignored.length === 0) return null;
  return (
    <Alert color="ink" variant="light" role="status" mb="md" style={{ overflowWrap: 'anywhere' }}>
      {texts.calls.ignored(ignored)}
    </Alert>
  );
}
