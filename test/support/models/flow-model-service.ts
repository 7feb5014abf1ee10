import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { ModelHealthDto } from '../../../src/models/serving/model-health.dto.js';
import { createTestDatabase, type TestDatabase } from '../database/postgres.js';
import { createFlowAccount } from '../roles/flow-account.js';
import { FlowClient } from '../roles/flow-client.js';
import type { KnownProcess } from '../roles/flow-processes.js';
import { FlowSupervisor } from '../roles/flow-supervisor.js';
import { FlowModels, madeSmall } from './flow-models.js';

/** A supervised service with its own database and model repository, for tests that swap model versions. */
export class FlowModelService {
  private current: FlowSupervisor | undefined;
  private currentClient: FlowClient | undefined;
  private key: string | undefined;

  private constructor(
    readonly dataDir: string,
    private readonly database: TestDatabase,
    readonly models: FlowModels,
  ) {}

  /** Starts a service with version 1 of `auto_enhance` and of `upscale`, the latter without its slowest graph. */
  static async start(): Promise<FlowModelService> {
    const dataDir = await mkdtemp(join(tmpdir(), 'ies-flow-models-'));
    const database = await createTestDatabase();
    const models = await FlowModels.create('auto_enhance', 'upscale');
    const service = new FlowModelService(dataDir, database, models);
    try {
      await models.change('upscale', 1, madeSmall);
      await service.startSupervisor();
    } catch (error) {
      await service.close();
      throw error;
    }
    return service;
  }

  get supervisor(): FlowSupervisor {
    return this.current!;
  }

  get client(): FlowClient {
    return this.currentClient!;
  }

  /** Restarts the service on the same data and models, after the supervisor has ended. */
  async startSupervisor(): Promise<void> {
    this.current = await FlowSupervisor.start(this.dataDir, {
      DATABASE_URL: this.databaseUrl,
      MODELS_DIR: this.models.dir,
      MODELS_POLL_MS: '500',
      INFERENCE_DEVICE: 'cpu',
    });
    const [, baseUrl] = /^Ready: (\S+) /.exec(await this.current.ready())!;
    this.key ??= (await createFlowAccount(this.databaseUrl)).key;
    this.currentClient = new FlowClient(baseUrl!, this.key);
  }

  async health(): Promise<ModelHealthDto> {
    return (await this.client.request('GET', '/health/models')).json as unknown as ModelHealthDto;
  }

  /** The running worker processes; two while one takes over from another. */
  workers(): KnownProcess[] {
    return this.supervisor.processes().filter(({ command }) => command.includes('main.worker.js'));
  }

  get databaseUrl(): string {
    return this.database.databaseUrl;
  }

  /** Runs one statement on its database. */
  async rows<T>(text: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    await client.connect();
    try {
      return (await client.query(text, [...values])).rows as T[];
    } finally {
      await client.end();
    }
  }

  async close(): Promise<void> {
    await this.current?.close();
    await this.database.drop();
    await rm(this.dataDir, { recursive: true, force: true });
    await this.models.close();
  }
}
