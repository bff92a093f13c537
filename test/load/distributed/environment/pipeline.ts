import { Child } from '../../harness/child.ts';
import type { Workspace } from '../../harness/workspace.ts';
import type { Order, Service } from '../servers/service.main.ts';

export type ServiceProcess = Child<Order, number>;

/** One service of the pipeline in a process of its own, connected and not yet started. */
export function startService(workspace: Workspace, service: Service): Promise<ServiceProcess> {
  return Child.start<Order, number>(workspace, new URL('../servers/service.main.ts', import.meta.url), service);
}

/** Every service of the pipeline, at work. Only the dispatcher waits until it is asked for. */
export interface Pipeline {
  /** Told by `ask({ start: true })` to hand out calls, and by `ask({ stop: true })` to rest. */
  dispatcher: ServiceProcess;
  transcription: readonly [ServiceProcess, ...ServiceProcess[]];
  analysis: ServiceProcess;
  cleanup: ServiceProcess;
  stop(): Promise<void>;
}

/** @param settings.workers processes of transcription, 1 when left out */
export async function startPipeline(
  workspace: Workspace,
  { workers = 1, ...settings }: Omit<Service, 'service'> & { workers?: number },
): Promise<Pipeline> {
  const start = (service: Service['service']) => startService(workspace, { ...settings, service });
  const [dispatcher, cleanup, analysis, transcription, ...more] = await Promise.all([
    start('dispatcher'),
    start('cleanup'),
    start('analysis'),
    start('transcription'),
    ...Array.from({ length: workers - 1 }, () => start('transcription')),
  ]);
  await Promise.all([cleanup, analysis, transcription, ...more].map((child) => child.ask({ start: true })));
  const all = [dispatcher, cleanup, analysis, transcription, ...more];
  return {
    dispatcher,
    transcription: [transcription, ...more],
    analysis,
    cleanup,
    stop: async () => void (await Promise.all(all.map((child) => child.stop()))),
  };
}
