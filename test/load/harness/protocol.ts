export type ToChild<Job> = { id: number; job: Job };
export type FromChild<Answer> = { ready: true } | { id: number; answer: Answer } | { id: number; error: string };

/**
 * The other side of `Child`, called once by a `*.main.ts`.
 * @param start gets the settings of `Child.start` and returns what does the jobs
 */
export async function obey<Settings, Job, Answer>(
  start: (settings: Settings) => Promise<(job: Job) => Promise<Answer>>,
): Promise<void> {
  const tell = (message: FromChild<Answer>) => process.send?.(message);
  const work = await start(JSON.parse(process.argv[2] ?? 'null') as Settings);
  process.on('message', ({ id, job }: ToChild<Job>) => {
    work(job).then(
      (answer) => tell({ id, answer }),
      (error: unknown) => tell({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  // Nobody is left to work for. An orderly exit, so that a profiler writes what it has seen.
  process.on('disconnect', () => process.exit(0));
  tell({ ready: true });
}
