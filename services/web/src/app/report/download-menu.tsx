import type { CallDetail } from '@call-analytics/contracts';
import { Menu } from '@mantine/core';
import { useOpening, type WithButton } from '../chunks/chunk.tsx';
import { texts } from '../texts/index.ts';
import { asMarkdown, asText, downloadName, fileWords, saveText } from './report-file.ts';

const words = texts.report;
const TRANSCRIPT_FILES = ['txt', 'vtt', 'srt'] as const;

/** The report and the transcript of a call as files. */
export function DownloadMenu({ call, button }: { call: CallDetail } & WithButton) {
  const { target, ...opening } = useOpening({ button });
  return (
    <Menu position="bottom-end" {...opening}>
      <Menu.Target>{target}</Menu.Target>
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
            saveText(asMarkdown(call, fileWords), downloadName(call.fileName, words.fileWord, 'md'), 'text/markdown')
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
  );
}
