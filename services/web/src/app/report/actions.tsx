import type { CallDetail } from '@call-analytics/contracts';
import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { deleteCalls } from '../calls/requests.ts';
import { CopyButton } from '../common/code.tsx';
import { DownIcon, DownloadIcon, PrintIcon, TrashIcon } from '../common/icons.tsx';
import { texts } from '../texts/index.ts';
import classes from './report.module.css';
import { asMarkdown, asText, downloadName, fileWords, saveText } from './report-file.ts';

const words = texts.report;
const TRANSCRIPT_FILES = ['txt', 'vtt', 'srt'] as const;

/** The actions on a call. */
export function Actions({ call }: { call: CallDetail }) {
  const navigate = useNavigate();
  const isReadable = call.status === 'completed' || call.transcript !== '';
  return (
    <Group gap="xs" className={classes.actions}>
      {isReadable && (
        <>
          <CopyButton value={asText(call, fileWords)} label={words.copy} size="sm" />
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" leftSection={<DownloadIcon size={16} />} rightSection={<DownIcon size={16} />}>
                {words.download}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                onClick={() =>
                  saveText(asText(call, fileWords), downloadName(call.fileName, words.fileWord, 'txt'), 'text/plain')
                }
              >
                {words.asText}
              </Menu.Item>
              <Menu.Item
                onClick={() =>
                  saveText(
                    asMarkdown(call, fileWords),
                    downloadName(call.fileName, words.fileWord, 'md'),
                    'text/markdown',
                  )
                }
              >
                {words.asMarkdown}
              </Menu.Item>
              {TRANSCRIPT_FILES.map((suffix) => (
                <Menu.Item
                  key={suffix}
                  component="a"
                  href={`/api/v1/calls/${call.id}/transcript.${suffix}`}
                  download={downloadName(call.fileName, words.transcriptWord, suffix)}
                >
                  {words.transcriptAs[suffix]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <ActionIcon
            size={36}
            variant="default"
            aria-label={words.print}
            title={words.print}
            onClick={() => window.print()}
          >
            <PrintIcon size={18} />
          </ActionIcon>
        </>
      )}
      <ActionIcon
        size={36}
        variant="default"
        aria-label={words.delete}
        title={words.delete}
        onClick={() => {
          void navigate({ to: '/calls' });
          void deleteCalls([call.id]);
        }}
      >
        <TrashIcon size={18} />
      </ActionIcon>
    </Group>
  );
}
