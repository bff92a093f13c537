import type { ReportType } from '@call-analytics/contracts';
import { Button, type ButtonProps, FileButton, Group, SegmentedControl, Text } from '@mantine/core';
import { useId, useSyncExternalStore } from 'react';
import { ExternalStore } from '../../api/connection.ts';
import { UploadIcon } from '../../common/icons.tsx';
import { texts } from '../../texts/texts.ts';
import { upload } from './uploads.tsx';

/** Filters the file dialog only. The server checks the content of a file, not its name. */
const OFFERED = 'audio/*,.mp3,.wav,.m4a,.ogg,.flac,.aac,.wma,.mp4';

/** Opens the dialog to choose recordings, and uploads them. */
export function ChooseFiles({
  label = texts.calls.upload.choose,
  ...rest
}: { label?: string } & Omit<ButtonProps, 'children'>) {
  return (
    <FileButton multiple accept={OFFERED} onChange={(files) => void upload(files)}>
      {(props) => (
        <Button leftSection={<UploadIcon size={18} />} {...rest} {...props}>
          {label}
        </Button>
      )}
    </FileButton>
  );
}

/** Chooses the report type of the next uploads. */
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

export const REPORT_TYPES = ['high_level', 'medium', 'detailed'] as const satisfies readonly ReportType[];
const KEY = 'report-type';
const chosen = new ExternalStore<ReportType>(stored());

/** The report type of the next upload: the last choice in this browser. */
export function rememberedReportType(): ReportType {
  return chosen.get();
}

function useReportType(): [ReportType, (reportType: ReportType) => void] {
  return [useSyncExternalStore(chosen.subscribe, chosen.get), remember];
}

function remember(reportType: ReportType): void {
  chosen.set(reportType);
  try {
    localStorage.setItem(KEY, reportType);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

function stored(): ReportType {
  try {
    const found = localStorage.getItem(KEY);
    return REPORT_TYPES.find((known) => known === found) ?? 'medium';
  } catch {
    return 'medium';
  }
}
