import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { built } from '../../lib/built.mjs';

const RESTART_ATTEMPTS = 20;
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The embedded PostgreSQL with its own folder. It can be killed and restarted with the same data. */
export class PostgresServer {
  #server;

  constructor(dataDir) {
    this.dataDir = dataDir;
  }

  static async start(dataDir) {
    await mkdir(dataDir, { mode: 0o755 });
    const postgres = new PostgresServer(dataDir);
    await postgres.startAgain();
    const { ensureDatabase } = await built('infra/database/embedded/ensure-database.js');
    const { runMigrations } = await built('infra/database/migrate.js');
    await ensureDatabase(postgres.databaseUrl);
    await runMigrations(postgres.databaseUrl);
    return postgres;
  }

  get databaseUrl() {
    return this.#server.databaseUrl;
  }

  get address() {
    const { hostname, port } = new URL(this.databaseUrl);
    return { host: hostname, port: Number(port) };
  }

  /** Kills the server with `kill -9`. Its backends end by themselves. */
  async kill() {
    const ended = new Promise((resolve) => this.#server.onExit(resolve));
    process.kill(this.#server.pid, 'SIGKILL');
    await ended;
  }

  /** Restarts the server with the existing data. Old backends may need a moment to end. */
  async startAgain() {
    const { startEmbeddedPostgres } = await built('infra/database/embedded/embedded-postgres.js');
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#server = await startEmbeddedPostgres({ dataDir: this.dataDir, log: SILENT });
        return;
      } catch (error) {
        if (attempt === RESTART_ATTEMPTS) throw error;
        await sleep(500);
      }
    }
  }

  async stop() {
    const { removeDataDir } = await built('infra/database/embedded/staging.js');
    await this.#server.stop('immediate');
    await removeDataDir(this.dataDir);
  }
}
