import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EmbeddedPostgres,
  type StopMode,
  startEmbeddedPostgres,
} from '../infra/database/embedded/embedded-postgres.js';
import type { Log } from '../infra/database/embedded/log.js';
import { RestartBackoff } from './restart-backoff.js';
import { errorText } from '../kernel/errors/error-text.js';

/** Keeps the embedded PostgreSQL running. During a restart, the roles keep running and reconnect by themselves. */
export class SupervisedPostgres {
  private readonly pause = new RestartBackoff();
  private restarting: Promise<void> | undefined;
  private isWanted = true;

  private constructor(
    private readonly dataDir: string,
    private readonly log: Log,
    private readonly onMoved: () => void,
    private current: EmbeddedPostgres,
  ) {
    this.watch(performance.now());
  }

  /** @param onMoved called when the server restarted on another port, because its port was taken in the meantime */
  static async start(dataDir: string, log: Log, onMoved: () => void): Promise<SupervisedPostgres> {
    return new SupervisedPostgres(dataDir, log, onMoved, await startEmbeddedPostgres({ dataDir, log }));
  }

  get databaseUrl(): string {
    return this.current.databaseUrl;
  }

  async stop(mode: StopMode): Promise<void> {
    this.isWanted = false;
    await this.restarting;
    await this.current.stop(mode);
  }

  private watch(startedMs: number): void {
    this.current.onExit(() => {
      if (this.isWanted) this.restarting = this.restart(performance.now() - startedMs);
    });
  }

  private async restart(livedMs: number): Promise<void> {
    const { databaseUrl } = this.current;
    let pauseMs = this.pause.after(livedMs);
    while (this.isWanted) {
      this.log.warn(`PostgreSQL exited; starting it again in ${pauseMs} ms`);
      await sleep(pauseMs);
      if (!this.isWanted) return;
      try {
        this.current = await startEmbeddedPostgres({ dataDir: this.dataDir, log: this.log });
      } catch (error) {
        this.log.error(errorText(error));
        pauseMs = this.pause.after(0);
        continue;
      }
      this.log.info('PostgreSQL is back');
      this.watch(performance.now());
      if (this.current.databaseUrl !== databaseUrl) this.onMoved();
      return;
    }
  }
}
