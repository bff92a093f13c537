import { started } from './start.ts';

export default async function stop(): Promise<void> {
  await Promise.all(started.splice(0).map((container) => container.stop({ timeout: 0 })));
}
