import { fileURLToPath } from 'node:url';
import { childEnvironment, workerEnvironment } from '../config/child-environment.js';
import { type Config, readConfig } from '../config/env.js';
import { withheldSecrets } from '../config/secrets/role-secrets.js';
import { withAddedNames } from '../config/settings-in-force.js';
import { loadSecrets } from '../config/secrets/secrets.js';
import { ensureDatabase } from '../infra/database/embedded/ensure-database.js';
import type { Log } from '../infra/database/embedded/log.js';
import { restrictDataDir, keepFilesPrivate } from '../infra/storage/private-data-dir.js';
import type { Role } from '../roles/role-settings.js';
import { apiPort } from './api-port.js';
import { DataDirLock } from './data-dir-lock.js';
import { firstStartDemo, type CreateDemo } from './first-start.js';
import { SupervisedPostgres } from './supervised-postgres.js';
import { readyLine } from './ready-line.js';
import { returnLeases } from './return-leases.js';
import { RoleProcess } from './role-process.js';
import { StartError } from '../roles/start-error.js';

/** Time for a role to exit after its drain before it is killed. */
const AFTER_DRAIN_MS = 8_000;

/**
 * Runs the whole service: the database, then API, worker, and dispatcher as separate processes. Stops them in this
 * order: the API first, so that no new work arrives; then worker and dispatcher; the database last.
 */
export class Supervisor {
  private lock: DataDirLock | undefined;
  private postgres: SupervisedPostgres | undefined;
  private readonly roles = new Map<Role, RoleProcess>();
  private isForced = false;
  private isLockLost = false;
  private readonly stopping = new AbortController();
  private readonly stopAsked = new Promise<void>((resolve) => {
    this.stopping.signal.addEventListener('abort', () => resolve(), { once: true });
  });

  constructor(
    private config: Config,
    private readonly log: Log,
    private readonly printLine: (line: string) => void,
  ) {}

  /**
   * Starts everything. Resolves when everything has stopped after `stop`.
   * @throws StartError or EmbeddedPostgresError when it could not start, or lost its DATA_DIR; nothing is left running
   */
  async run(): Promise<void> {
    try {
      const makeDemo = await this.start();
      if (this.isStopping) return;
      // From here on, the ready line is always printed: an account whose key was never shown would be unusable.
      const demo = await makeDemo?.(this.config.databaseDirectUrl ?? this.databaseUrl!);
      this.printLine(readyLine(this.config.publicUrl, demo));
      await this.stopAsked;
    } catch (error) {
      // The stop request ended a wait.
      if (error !== this.stopping.signal.reason) throw error;
    } finally {
      this.stopping.abort();
      await this.tearDown();
    }
    if (this.isLockLost) throw new StartError(lockLost(this.config.dataDir));
  }

  /** Requests an orderly shutdown; `run` then returns. */
  stop(): void {
    this.stopping.abort();
  }

  /** Kills the roles. Jobs return to the queue when their leases expire; the database still shuts down cleanly. */
  force(): void {
    this.isForced = true;
    this.stop();
    for (const role of this.roles.values()) role.kill();
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Does not begin the next step after a stop was requested. */
  private async start(): Promise<CreateDemo | undefined> {
    const { signal } = this.stopping;
    const say = (text: string): void => this.log.warn(text);
    this.lock = await DataDirLock.acquire(this.config.dataDir, {
      say,
      signal,
      onLost: () => this.onLockLost(),
    });
    if (this.isStopping) return undefined;
    await this.restrictDataDir();
    const port = await apiPort(this.config.host, this.config.port);
    // With PORT=0, the public URL contains the chosen port.
    if (port !== this.config.port) this.config = readConfig(childEnvironment({ PORT: String(port) }));
    // Loading a role takes more than a second of CPU time, and PostgreSQL leaves one core idle while it starts.
    await this.startRolesHeld();
    const databaseUrl = await this.openDatabase();
    if (this.isStopping) return undefined;
    for (const role of this.roles.values()) role.release(databaseUrl);
    const makeDemo = await firstStartDemo(databaseUrl);
    const ready = [...this.roles.values()].map((role) => role.ready);
    await Promise.race([Promise.all(ready), this.stopAsked]);
    return makeDemo;
  }

  private async restrictDataDir(): Promise<void> {
    keepFilesPrivate();
    const open = await restrictDataDir(this.config.dataDir);
    if (open.length > 0) this.log.warn(`other users may read ${open.join(', ')}: the mode cannot be changed`);
  }

  /** The current URL of the database; the embedded one may have moved. */
  private get databaseUrl(): string | undefined {
    return this.config.databaseUrl ?? this.postgres?.databaseUrl;
  }

  private async openDatabase(): Promise<string> {
    const own = this.config.databaseUrl;
    // TypeORM takes a third of a second to load, so it loads while PostgreSQL starts.
    const loading = import('../infra/database/migrate.js');
    if (own === undefined) {
      const onMoved = () => this.roles.forEach((role) => role.restart());
      this.postgres = await SupervisedPostgres.start(this.config.dataDir, this.log, onMoved);
      await ensureDatabase(this.postgres.databaseUrl);
    }
    const databaseUrl = own ?? this.postgres!.databaseUrl;
    const { runMigrations } = await loading;
    try {
      await runMigrations(this.config.databaseDirectUrl ?? databaseUrl);
    } catch (error) {
      const reason = error instanceof Error ? error.message || error.name : String(error);
      throw new StartError(
        own === undefined
          ? `The database schema could not be brought up to date: ${reason}`
          : `The database of DATABASE_URL cannot be used: ${reason}`,
        { cause: error },
      );
    }
    return databaseUrl;
  }

  private async startRolesHeld(): Promise<void> {
    // Created before any role starts. Roles read the file themselves, so that a rotation needs no restart.
    const { signingKeys, sealingKeys, dataDir } = this.config;
    if (signingKeys === undefined || sealingKeys === undefined) await loadSecrets(dataDir);
    const settings = () => ({
      DATABASE_URL: this.databaseUrl,
      DATA_DIR: this.config.dataDir,
      MODELS_DIR: this.config.modelsDir,
      PORT: String(this.config.port),
    });
    for (const role of ['api', 'worker', 'dispatcher'] as const) {
      const program = fileURLToPath(new URL(`../main.${role}.js`, import.meta.url));
      const kept = new RoleProcess({
        role,
        program,
        environment: () => {
          const environmentOf = role === 'worker' ? workerEnvironment : childEnvironment;
          return environmentOf({ ...withAddedNames(settings()), ...withheldSecrets(role) });
        },
        log: this.log,
        onLeasesLeft: (owner) => void this.returnLeases(owner),
        graceMs: this.graceMs,
        takeoverLimitMs: this.config.modelSwapTimeoutMs,
      });
      this.roles.set(role, kept);
      kept.startHeld();
    }
  }

  /** Lets the jobs of a dead worker continue at once. A drained worker leaves none. */
  private async returnLeases(owner: string): Promise<void> {
    const { databaseUrl } = this;
    if (databaseUrl === undefined) return;
    try {
      const jobs = await returnLeases(databaseUrl, owner, this.config.jobMaxAttempts);
      if (jobs > 0) this.log.warn(`released ${jobs} ${jobs === 1 ? 'job' : 'jobs'} of an exited worker`);
    } catch (error) {
      if (this.isStopping) return;
      this.log.warn(
        `could not release the jobs of an exited worker; their leases will expire: ${String(error)}`,
      );
    }
  }

  /** How long a role may take to exit. */
  private get graceMs(): number {
    const { drainTimeoutMs, shutdownDelayMs } = this.config;
    return drainTimeoutMs + shutdownDelayMs + AFTER_DRAIN_MS;
  }

  private async tearDown(): Promise<void> {
    const graceMs = this.isForced ? 0 : this.graceMs;
    await this.roles.get('api')?.stop(graceMs);
    await Promise.all([...this.roles.values()].map((role) => role.stop(graceMs)));
    await this.postgres?.stop(this.isLockLost ? 'kill' : 'fast');
    this.lock?.release();
  }

  /** Two servers on one cluster destroy it, so nothing is shut down in order. */
  private onLockLost(): void {
    this.isLockLost = true;
    this.force();
  }
}

function lockLost(dataDir: string): string {
  return `Another start has taken over ${dataDir}, because this one was paused. Everything was stopped at once.`;
}
