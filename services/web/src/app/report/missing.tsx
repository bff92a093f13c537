import { Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { texts } from '../texts/texts.ts';

const words = texts.report;

/** In the place of a call that is not there, or not for this account: nobody learns which. */
export function Missing() {
  return (
    <Stack align="flex-start" gap="lg">
      <Text c="dimmed">{words.missingWhy}</Text>
      <Button renderRoot={(props) => <Link to="/calls" {...props} />}>{texts.common.toCalls}</Button>
    </Stack>
  );
}
