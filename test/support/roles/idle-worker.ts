import { eventually } from './flow-wait.js';
import type { FlowService } from './flow-service.js';

/**
 * The worker of a service, which pauses while it is idle. For tests that need their jobs to stay unprocessed for a
 * moment: another start would take two seconds of CPU.
 */
export class IdleWorker {
  constructor(private readonly service: Pick<FlowService, 'role' | 'database'>) {}

  /** Waits until no job is left, then pauses the worker between two of its statements. */
  async pause(): Promise<void> {
    const worker = this.service.role('worker');
    await eventually('a worker without work', async () => {
      const jobs = await this.unfinishedJobs();
      if (jobs > 0) return { seen: { jobs } };
      worker.pause();
      // Otherwise, it would keep its locks, or hold a job that it has just claimed.
      const [statements, taken] = [await this.runningStatements(), await this.unfinishedJobs()];
      if (statements + taken === 0) return { found: true };
      worker.resume();
      return { seen: { statements, taken } };
    });
  }

  resume(): void {
    this.service.role('worker').resume();
  }

  private async unfinishedJobs(): Promise<number> {
    return this.count(`SELECT count(*)::int AS count FROM jobs WHERE status IN ('queued', 'processing')`);
  }

  private async runningStatements(): Promise<number> {
    return this.count(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'ies-worker' AND state <> 'idle'`,
    );
  }

  private async count(text: string): Promise<number> {
    const [row] = await this.service.database.rows<{ count: number }>(text);
    return row!.count;
  }
}
