import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/infra/database/embedded/embedded-postgres.js';
import { ensureDatabase } from '../../../src/infra/database/embedded/ensure-database.js';
import { removeDataDir } from '../../../src/infra/database/embedded/staging.js';
import { runMigrations } from '../../../src/infra/database/migrate.js';

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A separate PostgreSQL that a test can kill. */
export class FlowPostgres {
  private constructor(
    private readonly dataDir: string,
    private server: EmbeddedPostgres,
  ) {}

  static async start(): Promise<FlowPostgres> {
    const dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-pg-'));
    // PostgreSQL's own user needs to traverse the folder when the tests run as root.
    await chmod(dataDir, 0o755);
    const server = await startEmbeddedPostgres({ dataDir, log: quiet });
    await ensureDatabase(server.databaseUrl);
    await runMigrations(server.databaseUrl);
    return new FlowPostgres(dataDir, server);
  }

  /** Stays the same across restarts. */
  get databaseUrl(): string {
    return this.server.databaseUrl;
  }

  get pid(): number {
    return this.server.pid;
  }

  /** `kill -9` of the server; resolves when it has ended. */
  async kill(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.server.onExit(resolve));
    process.kill(this.server.pid, 'SIGKILL');
    await ended;
  }

  /** Restarts it on the same cluster, like a supervisor. @throws Error when the port was taken meanwhile */
  async restart(): Promise<void> {
    const { databaseUrl } = this;
    this.server = await startEmbeddedPostgres({ dataDir: this.dataDir, log: quiet });
    if (this.databaseUrl !== databaseUrl) throw new Error('PostgreSQL came back at another port');
  }

  async close(): Promise<void> {
    await this.server.stop('immediate');
    await removeDataDir(this.dataDir);
  }
}
