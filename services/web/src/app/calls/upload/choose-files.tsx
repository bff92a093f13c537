import type { ReportType } from '@call-analytics/contracts';
import { Button, type ButtonProps, FileButton, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useSyncExternalStore } from 'react';
import { ExternalStore } from '../../api/connection.ts';
import { installationQuery } from '../../api/queries.ts';
import { UploadIcon } from '../../common/icons.tsx';
import { LOCALE, texts } from '../../texts/index.ts';
import type { UploadOptions } from './queue.ts';
import { upload } from './uploads.tsx';

const words = texts.calls.upload;

/** Filters the file dialog only. The server checks the content of a file, not its name. */
const OFFERED = 'audio/*,.mp3,.wav,.m4a,.ogg,.flac,.aac,.wma,.mp4';

/** Opens the dialog to choose recordings, and uploads them. */
export function ChooseFiles({ label = words.choose, ...rest }: { label?: string } & Omit<ButtonProps, 'children'>) {
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

/** Chooses the language and the report type of the next uploads. */
export function UploadChoices() {
  return (
    <>
      <LanguageChoice />
      <ReportTypeChoice />
    </>
  );
}

function LanguageChoice() {
  const language = useSyncExternalStore(chosenLanguage.subscribe, chosenLanguage.get);
  const { data } = useQuery(installationQuery);
  return (
    <NativeSelect
      size="xs"
      aria-label={words.language}
      value={language}
      onChange={({ currentTarget: { value } }) => chosenLanguage.set(value)}
      data={[{ value: '', label: words.detectLanguage }, ...namesOf(data?.languages ?? [])]}
    />
  );
}

/** @returns the languages by their names */
function namesOf(codes: readonly string[]): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(LOCALE, { type: 'language' });
  return codes
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label, LOCALE));
}

function ReportTypeChoice() {
  const [reportType, choose] = useReportType();
  const label = useId();
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="sm" c="dimmed" id={label}>
        {words.reportType}
      </Text>
      <SegmentedControl
        size="xs"
        aria-labelledby={label}
        value={reportType}
        onChange={(value) => choose(value as ReportType)}
        data={REPORT_TYPES.map((value) => ({ value, label: words.reportTypes[value] }))}
      />
    </Group>
  );
}

const REPORT_TYPES = ['high_level', 'medium', 'detailed'] as const satisfies readonly ReportType[];
const KEY = 'report-type';
const chosen = new ExternalStore<ReportType>(stored());
/** Until the page is closed: a wrong language makes a wrong transcript. */
const chosenLanguage = new ExternalStore('');

/** Of the next upload. The report type is the last choice in this browser. */
export function uploadOptions(): UploadOptions {
  return { reportType: chosen.get(), language: chosenLanguage.get() };
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
