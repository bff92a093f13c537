import { Drawer } from '@mantine/core';
import { texts } from '../texts/texts.ts';
import { Navigation } from './navigation.tsx';

/** The navigation on narrow screens. */
export function PhoneMenu({ opened, close }: { opened: boolean; close(): void }) {
  return (
    <Drawer opened={opened} onClose={close} position="right" size={280} title={texts.shell.menu}>
      <Navigation onFollow={close} />
    </Drawer>
  );
}
