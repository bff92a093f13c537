import type { SaleStatus as Status } from '@call-analytics/contracts';
import { Group, Text } from '@mantine/core';
import { texts } from '../texts/texts.ts';
import { SaleIcon } from './icons.tsx';

/** How the sale went, as a sign and a word. */
export function SaleStatus({ status }: { status: Status }) {
  return (
    <Group gap={7} wrap="nowrap" component="span" display="inline-flex" style={{ verticalAlign: 'middle' }}>
      <SaleIcon status={status} />
      <Text span size="sm" style={{ whiteSpace: 'nowrap' }}>
        {texts.calls.saleStatuses[status]}
      </Text>
    </Group>
  );
}
