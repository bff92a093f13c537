import type { ReportType } from '@call-analytics/contracts';
import { Group, SegmentedControl, Text } from '@mantine/core';
import { useId } from 'react';
import { texts } from '../../texts/texts.ts';
import { REPORT_TYPES, useReportType } from './report-type.ts';

/** How much report the next uploads get. */
export function ReportTypeChoice() {
  const [reportType, choose] = useReportType();
  const label = useId();
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" c="dimmed" id={label}>
        {texts.calls.upload.reportType}
      </Text>
      <SegmentedControl
        size="xs"
        aria-labelledby={label}
        value={reportType}
        onChange={(value) => choose(value as ReportType)}
        data={REPORT_TYPES.map((value) => ({ value, label: texts.calls.upload.reportTypes[value] }))}
      />
    </Group>
  );
}
