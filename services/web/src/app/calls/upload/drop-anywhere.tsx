import { Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { UploadIcon } from '../../common/icons.tsx';
import { texts } from '../../texts/texts.ts';
import { droppedFiles } from './dropped-files.ts';
import classes from './upload.module.css';
import { upload } from './uploads.ts';

const words = texts.calls.upload;

/** Takes files that are dropped anywhere in the window, folders too. It is in the page only while something is dragged. */
export function DropAnywhere() {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => followDrags(setDragging), []);
  if (!isDragging) return null;
  return (
    <div className={classes.overlay}>
      <UploadIcon size={56} />
      <Title order={2}>{words.drop}</Title>
      <Text>{words.dropHow}</Text>
    </div>
  );
}

/** A browser opens a dropped file in place of the page, and with it every upload under way is gone: no drop is left to it. */
function followDrags(setDragging: (isDragging: boolean) => void): () => void {
  // Each element that is entered is also left, but entered first.
  let depth = 0;
  const set = (next: number) => {
    depth = Math.max(0, next);
    setDragging(depth > 0);
  };
  const hear = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    if (event.type === 'dragenter') set(depth + 1);
    if (event.type === 'dragleave') set(depth - 1);
    if (event.type !== 'drop') return;
    set(0);
    void droppedFiles(event.dataTransfer).then(upload);
  };
  const events = ['dragenter', 'dragover', 'dragleave', 'drop'] as const;
  for (const event of events) addEventListener(event, hear);
  return () => {
    for (const event of events) removeEventListener(event, hear);
  };
}
