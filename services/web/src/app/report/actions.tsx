import type { CallDetail } from '@call-analytics/contracts';
import { ActionIcon, Button, type ButtonProps, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { deleteCalls } from '../calls/requests.ts';
import { lazyMenu } from '../chunks/chunk.tsx';
import { CopyButton } from '../common/code.tsx';
import { DownIcon, DownloadIcon, PrintIcon, TrashIcon } from '../common/icons.tsx';
import { texts } from '../texts/index.ts';
import classes from './report.module.css';
import { asText, fileWords } from './report-file.ts';

const words = texts.report;
const DownloadMenu = lazyMenu(async () => (await import('./download-menu.tsx')).DownloadMenu);

/** The actions on a call. */
export function Actions({ call }: { call: CallDetail }) {
  const navigate = useNavigate();
  const isReadable = call.status === 'completed' || call.transcript !== '';
  return (
    <Group gap="xs" className={classes.actions}>
      {isReadable && (
        <>
          <CopyButton value={asText(call, fileWords)} label={words.copy} size="sm" />
          <DownloadMenu call={call} button={<DownloadButton />} />
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

function DownloadButton(rest: ButtonProps & ComponentProps<'button'>) {
  return (
    <Button
      variant="default"
      leftSection={<DownloadIcon size={16} />}
      rightSection={<DownIcon size={16} />}
      aria-haspopup="menu"
      {...rest}
    >
      {words.download}
    </Button>
  );
}
