import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '../../../src/roles/role-settings.js';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import type { PlanLimits } from '../../../src/kernel/plans.js';
import { createFlowAccount, type FlowAccount } from './flow-account.js';
import { ensureFlowBuild } from './flow-build.js';
import { FlowClient } from './flow-client.js';
import { FlowDatabase } from '../database/flow-database.js';
import { flowEnvironment, ONE_STREAM, SINGLE_PRECISION } from './flow-environment.js';
import { type HeldFiles, heldFiles } from './flow-objects.js';
import { type Ending, FlowRole } from './flow-role.js';
import { createTestDatabase } from '../database/postgres.js';
import { type CommittedOperation, committedModels, USUAL_OPERATIONS } from '../models/committed-models.js';

export interface FlowOptions {
  /** The operations whose models it has; default: `USUAL_OPERATIONS`. Not used with `MODELS_DIR` in `env`. */
  readonly models?: readonly CommittedOperation[] | 'all';
  /** Variables of the service in addition to those that the harness sets. */
  readonly env?: Readonly<Record<string, string>>;
  /** The roles that run from the start. Default: all three. */
  readonly roles?: readonly Role[];
  /** The folder of the compiled programs. Default: the one that was built here. */
  readonly dist?: string;
  /** The caller's own migrated database. Default: a copy of the run's template, dropped at the end. */
  readonly databaseUrl?: string;
}

const ALL_ROLES: readonly Role[] = ['api', 'dispatcher', 'worker'];
const SIGNING_KEY = 'flows-sign-their-file-addresses-with-this';

/**
 * The service as it is deployed: compiled roles as separate processes with a real PostgreSQL, real models and
 * files in a temporary DATA_DIR. Every process is gone after `close`, or with the process of the test.
 */
export class FlowService {
  readonly database: FlowDatabase;
  private readonly running = new Map<Role, FlowRole>();
  private readonly spawned = new Set<FlowRole>();
  private readonly killAll = () => this.spawned.forEach((role) => role.killNow());

  private constructor(
    readonly dataDir: string,
    readonly databaseUrl: string,
    private readonly variables: Readonly<Record<string, string>>,
    private readonly dropDatabase: () => Promise<void>,
    private readonly dist: string | undefined,
  ) {
    this.database = new FlowDatabase(databaseUrl);
    process.once('exit', this.killAll);
  }

  static async start(options: FlowOptions = {}): Promise<FlowService> {
    await ensureFlowBuild();
    const dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-'));
    const own = options.databaseUrl === undefined ? await createTestDatabase() : undefined;
    const databaseUrl = options.databaseUrl ?? own!.databaseUrl;
    const port = await freePort();
    const service = new FlowService(
      dataDir,
      databaseUrl,
      {
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl,
        HOST: '127.0.0.1',
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        URL_SIGNING_KEY: SIGNING_KEY,
        INFERENCE_DEVICE: 'cpu',
        ...ONE_STREAM,
        ...(await modelsOf(options)),
        ...SINGLE_PRECISION,
        SWEEP_INTERVAL_MS: '1000',
        ...options.env,
      },
      async () => own?.drop(),
      options.dist,
    );
    try {
      await Promise.all((options.roles ?? ALL_ROLES).map((role) => service.startRole(role)));
    } catch (error) {
      await service.close();
      throw error;
    }
    return service;
  }

  get baseUrl(): string {
    // Not PUBLIC_URL, which may be a name that does not resolve here.
    return `http://127.0.0.1:${this.variables['PORT']!}`;
  }

  /** @param env overrides what the service was started with */
  async startRole(role: Role, env: Readonly<Record<string, string>> = {}): Promise<FlowRole> {
    const environment = flowEnvironment({ ...this.variables, ...env });
    const program = this.dist === undefined ? undefined : join(this.dist, `main.${role}.js`);
    const started = await FlowRole.start(role, environment, (spawned) => this.spawned.add(spawned), program);
    this.running.set(role, started);
    return started;
  }

  role(role: Role): FlowRole {
    const found = this.running.get(role);
    if (found === undefined) throw new Error(`the ${role} was not started`);
    return found;
  }

  /** SIGTERM, as a supervisor or Kubernetes sends it. */
  stopRole(role: Role): Promise<Ending> {
    return this.role(role).terminate();
  }

  /** `kill -9`. */
  killRole(role: Role): Promise<Ending> {
    return this.role(role).kill();
  }

  /** A new account and a client that uses its key. */
  async client(limits?: Partial<PlanLimits>): Promise<FlowClient & { readonly account: FlowAccount }> {
    const account = await createFlowAccount(this.databaseUrl, limits);
    return Object.assign(new FlowClient(this.baseUrl, account.key), { account });
  }

  /** What the object store holds now. */
  files(): Promise<HeldFiles> {
    return heldFiles(this.dataDir);
  }

  /** Kills what still runs and removes every trace. */
  async close(): Promise<void> {
    await Promise.all([...this.spawned].map((role) => role.kill()));
    process.off('exit', this.killAll);
    await this.database.close();
    await this.dropDatabase();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

async function modelsOf({ models = USUAL_OPERATIONS, env }: FlowOptions): Promise<Record<string, string>> {
  if (models === 'all' || env?.['MODELS_DIR'] !== undefined) return {};
  return { MODELS_DIR: await committedModels(models) };
}
