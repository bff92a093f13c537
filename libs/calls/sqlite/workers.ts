import type { Stage } from '@call-analytics/contracts';
import type { Database, Statement } from './database.ts';

const STATEMENTS = {
  known: 'SELECT stage, sum(calls) FROM workers WHERE until > ? GROUP BY stage',
  announce: `
    INSERT INTO workers VALUES ($stage, $worker, $calls, $until)
    ON CONFLICT DO UPDATE SET calls = excluded.calls, until = excluded.until`,
  forget: 'DELETE FROM workers WHERE until <= ?',
} as const;

/** The worker processes, and how many calls each of them works on at a time. */
export class WorkerRegister {
  readonly #db: Database;
  readonly #sql: Record<keyof typeof STATEMENTS, Statement>;

  constructor(db: Database) {
    this.#db = db;
    this.#sql = db.prepareAll(STATEMENTS);
  }

  announce(stage: Stage, worker: string, calls: number, now: Date, until: Date): void {
    this.#db.write(false, () => {
      this.#sql.forget.run(now.getTime());
      this.#sql.announce.run({ $stage: stage, $worker: worker, $calls: calls, $until: until.getTime() });
    });
  }

  capacity(now: Date): Record<Stage, number> {
    const rows = this.#db.read(() => this.#sql.known.all(now.getTime()));
    return {
      transcription: 0,
      analysis: 0,
      ...Object.fromEntries(rows.map(([stage, calls]) => [String(stage), Number(calls)])),
    };
  }
}
