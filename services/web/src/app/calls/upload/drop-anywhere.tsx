import '@mantine/dropzone/styles.layer.css';
import { Stack, Text, Title } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useEffect } from 'react';
import { UploadIcon } from '../../common/icons.tsx';
import { texts } from '../../texts/texts.ts';
import classes from './upload.module.css';
import { upload } from './uploads.ts';

const words = texts.calls.upload;

/** Takes files that are dropped anywhere in the window, folders too. */
export function DropAnywhere() {
  useEffect(keepPageOnDrop, []);
  return (
    <Dropzone.FullScreen
      onDrop={(files: File[]) => void upload(files)}
      onReject={(rejections: { file: File }[]) => void upload(rejections.map(({ file }) => file))}
      activateOnKeyboard={false}
      className={classes.overlay}
    >
      <Stack align="center" justify="center" gap="xs" h="calc(100dvh - 80px)" className={classes.overlayWords}>
        <UploadIcon size={56} />
        <Title order={2}>{words.drop}</Title>
        <Text>{words.dropHow}</Text>
      </Stack>
    </Dropzone.FullScreen>
  );
}

/** A browser opens a dropped file in place of the page, and with it every upload under way is gone. */
function keepPageOnDrop() {
  const keep = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  addEventListener('dragover', keep);
  addEventListener('drop', keep);
  return () => {
    removeEventListener('dragover', keep);
    removeEventListener('drop', keep);
  };
}
