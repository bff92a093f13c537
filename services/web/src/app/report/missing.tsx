import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Empty } from '../common/empty.tsx';
import { texts } from '../texts/texts.ts';

const words = texts.report;

/** In the place of a call that is not there, or not for this account: nobody learns which. */
export function Missing() {
  return (
    <>
      <title>{`${words.missing} · ${texts.common.product}`}</title>
      <Empty title={words.missing}>
        <Text c="dimmed">{words.missingWhy}</Text>
        <Button renderRoot={(props) => <Link to="/calls" {...props} />}>{texts.common.toCalls}</Button>
      </Empty>
    </>
  );
}
