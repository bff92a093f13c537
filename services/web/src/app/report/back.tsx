import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { BackIcon } from '../calls/icons.tsx';
import { texts } from '../texts/texts.ts';
import classes from './report.module.css';

export function BackToCalls() {
  return (
    <Anchor size="sm" className={classes.back} renderRoot={(props) => <Link to="/calls" {...props} />}>
      <BackIcon size={16} /> {texts.report.back}
    </Anchor>
  );
}
