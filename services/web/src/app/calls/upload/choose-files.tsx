import { Button, type ButtonProps, FileButton } from '@mantine/core';
import { UploadIcon } from '../../common/icons.tsx';
import { texts } from '../../texts/texts.ts';
import { upload } from './uploads.ts';

/** Only what the dialog offers first: the content of a file decides, and a name may lie. */
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
