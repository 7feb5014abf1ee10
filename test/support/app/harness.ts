import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getQueueToken } from '@nestjs/bullmq';
import type { LoggerService } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { Queue } from 'bullmq';
import type { DataSource } from 'typeorm';
import { expect } from 'vitest';
import { ApiModule } from '../../../src/app/api/api.module.js';
import { apiAdapter, apiOptions, setUpApi } from '../../../src/app/api/create-api.js';
import { listen } from '../../../src/app/api/start-api.js';
import { AccountsService } from '../../../src/accounts/accounts.service.js';
import { readConfig } from '../../../src/config/env.js';
import { Database } from '../../../src/infra/database/database.js';
import { ENHANCE_QUEUE } from '../../../src/infra/queue/enhance-queue.js';
import { newId } from '../../../src/kernel/ids.js';
import type { Plan, PlanLimits } from '../../../src/kernel/plans.js';
import { DEFAULT_SCOPES, type Scope, SCOPES } from '../../../src/kernel/scopes.js';
import { type Answer, ApiClient, type CallOptions } from './api-client.js';
import { type Footprint, measureFootprint } from './footprint.js';
import { ensureFlowBuild } from '../roles/flow-build.js';
import { JobWork } from './job-work.js';
import { photo } from '../images/images.js';
import { createTestDatabase, type TestDatabase } from '../database/postgres.js';
import type { EndpointAnswer, SourceAnswer } from './answers.js';

/** An account with the key that was created with it. */
export interface TestAccount {
  readonly id: string;
  readonly key: string;
  readonly keyId: string;
}

export interface HarnessOptions {
  /** Environment variables in addition to those of the harness. */
  readonly env?: Readonly<Record<string, string>>;
  /** How the application reaches the database; default: directly. */
  readonly databaseUrl?: (real: string) => Promise<string>;
  readonly logger?: LoggerService;
}

/** Enough for every test that is not about rate limits. */
const AMPLE: Partial<PlanLimits> = { rpm: 1_000_000, keys: 1_000 };
const SILENT: LoggerService = { log: () => undefined, error: () => undefined, warn: () => undefined };

/** The public URL of the service, on purpose not the one that the tests use. */
export const PUBLIC_URL = 'https://images.example/base';

/**
 * The real HTTP application with a real database and a real object store, listening on a free port. No
 * worker runs: tests end jobs themselves (`jobs`), with the worker's own repositories.
 */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  // A compiled program in dist probes uploads.
  await ensureFlowBuild();
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'ies-http-'));
  try {
    return await Harness.start({ database, dataDir, options, owner: 'harness' });
  } catch (error) {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}

interface HarnessParts {
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly options: HarnessOptions;
  /** Who removes the database and the folder: this harness when it closes, another one, or the end of the run. */
  readonly owner: 'harness' | 'other' | 'run';
}

export class Harness {
  private accounts = 0;
  private readonly accountsService: AccountsService;
  readonly jobs: JobWork;
  private readonly client: ApiClient;

  private constructor(
    readonly app: NestFastifyApplication,
    private readonly parts: HarnessParts,
    /** The base URL of the application, without a trailing slash. */
    readonly url: string,
  ) {
    const dataSource = app.get<DataSource>(getDataSourceToken());
    this.accountsService = new AccountsService(dataSource);
    this.jobs = new JobWork(app);
    this.client = new ApiClient(app, url, PUBLIC_URL);
  }

  static async start(parts: HarnessParts): Promise<Harness> {
    const { database, dataDir, options } = parts;
    const config = readConfig({ DATA_DIR: dataDir, PUBLIC_URL, LOG_LEVEL: 'fatal', ...options.env });
    const settings = {
      role: 'api',
      config,
      databaseUrl: (await options.databaseUrl?.(database.databaseUrl)) ?? database.databaseUrl,
      signingKeys: () => ['a signing key that only tests know'],
      sealingKeys: () => ['a sealing key that nobody but tests knows'],
      objectsDir: join(dataDir, 'objects'),
      scratchDir: join(dataDir, 'scratch'),
    } as const;
    const logger = options.logger ?? SILENT;
    const built = await Test.createTestingModule({ imports: [ApiModule.for(settings)] })
      .setLogger(logger)
      .compile();
    const app = built.createNestApplication<NestFastifyApplication>(apiAdapter(config), apiOptions(logger));
    await setUpApi(app);
    // The queue creates its tables over its own connection, which nothing must cut meanwhile.
    await app.get<Queue>(getQueueToken(ENHANCE_QUEUE)).waitUntilReady();
    await listen(app, '127.0.0.1', 0);
    return new Harness(app, parts, await app.getUrl());
  }

  get databaseUrl(): string {
    return this.parts.database.databaseUrl;
  }

  /** A second api process on the same database and folder. Close it before the first. */
  async another(options: HarnessOptions = {}): Promise<Harness> {
    return Harness.start({ ...this.parts, options: { ...this.parts.options, ...options }, owner: 'other' });
  }

  /** Sends a request and checks the response against the general rules and the OpenAPI document. */
  call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return this.client.call(method, path, options);
  }

  /** Without `plan`, the account has rate and key limits that no test reaches. */
  async createAccount(given: { plan?: Plan; limits?: Partial<PlanLimits> } = {}): Promise<TestAccount> {
    const { account, key } = await this.accountsService.create(
      `person${(this.accounts += 1)}-${this.url.split(':').at(-1)}@example.org`,
      given.plan ?? 'business',
      given.plan === undefined ? { ...AMPLE, ...given.limits } : (given.limits ?? null),
    );
    // All scopes: tests of missing scopes create their own keys.
    await this.rows('UPDATE api_keys SET scopes = $2 WHERE id = $1', [key.id, [...SCOPES]]);
    return { id: account.id, key: key.key, keyId: key.id };
  }

  /** Creates one more key for an account. */
  async createKey(
    account: TestAccount,
    given: { scopes?: readonly Scope[]; expiresAt?: Date; livemode?: boolean } = {},
  ): Promise<{ id: string; key: string }> {
    return this.accountsService.createKey(
      account.id,
      'Test',
      given.scopes ?? DEFAULT_SCOPES,
      given.expiresAt ?? null,
      { livemode: given.livemode ?? true },
    );
  }

  get accountsOf(): AccountsService {
    return this.accountsService;
  }

  /** Uploads bytes with a multipart request. */
  upload(key: string, bytes: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.call('POST', '/api/ai/upload', { key, file: { bytes, name: 'photo.jpg' }, headers });
  }

  /** Creates a source and expects success. */
  async newSource(account: TestAccount, bytes?: Buffer): Promise<SourceAnswer> {
    const answer = await this.upload(account.key, bytes ?? (await photo(48, 32, 'jpeg')));
    expect(answer.status, answer.text).toBe(201);
    return answer.body as SourceAnswer;
  }

  /** Creates a direct upload, even without a store that clients can reach. */
  async newDirectUpload(account: Pick<TestAccount, 'id'>): Promise<{ id: string }> {
    const id = newId('directUpload');
    await this.rows(
      `INSERT INTO direct_uploads (id, account_id, bytes, created_at, expires_at)
       VALUES ($1, $2, 10, now(), now() + interval '15 minutes')`,
      [id, account.id],
    );
    return { id };
  }

  createJob(
    key: string,
    json: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return this.call('POST', '/api/ai/enhance', { key, json, headers });
  }

  /** Creates a job, optionally of a given source, and expects success. */
  async newJob(
    account: TestAccount,
    given: Readonly<Record<string, unknown>> = {},
  ): Promise<{ id: string; sourceUrl: string }> {
    const sourceUrl = given['sourceUrl'] ?? (await this.newSource(account)).url;
    const answer = await this.createJob(account.key, { operation: 'upscale', ...given, sourceUrl });
    expect(answer.status, answer.text).toBe(201);
    return answer.body as { id: string; sourceUrl: string };
  }

  createBatch(
    key: string,
    json: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return this.call('POST', '/api/ai/batches', { key, json, headers });
  }

  /** Creates a batch, optionally of given sources, and expects success. */
  async newBatch(
    account: TestAccount,
    given: Readonly<Record<string, unknown>> = {},
  ): Promise<{ id: string }> {
    const sourceUrls = given['sourceUrls'] ?? [(await this.newSource(account)).url];
    const answer = await this.createBatch(account.key, { operation: 'upscale', ...given, sourceUrls });
    expect(answer.status, answer.text).toBe(201);
    return answer.body as { id: string };
  }

  /** Creates a preset, always the same one unless a name is given. */
  async newPreset(
    { key }: Pick<TestAccount, 'key'>,
    name = 'mine',
    json: object = { operations: [{ operation: 'upscale' }] },
  ): Promise<{ name: string }> {
    const answer = await this.call('PUT', `/api/ai/presets/${name}`, { key, json });
    expect([200, 201], answer.text).toContain(answer.status);
    return answer.body as { name: string };
  }

  /** Ids of the current jobs of a batch, in order. */
  async batchJobs(batchId: string): Promise<string[]> {
    const rows = await this.rows<{ id: string }>(
      'SELECT id FROM jobs WHERE batch_id = $1 AND retried_as IS NULL ORDER BY batch_index',
      [batchId],
    );
    return rows.map(({ id }) => id);
  }

  /** Creates a webhook endpoint, and returns it with its secret. */
  async newEndpoint(
    account: Pick<TestAccount, 'id'>,
    given: Readonly<Record<string, unknown>> = {},
  ): Promise<EndpointAnswer> {
    const { key } = await this.accountsService.createKey(account.id, 'Webhooks', ['webhook:manage'], null);
    const json = { url: 'https://receiver.example/hook', ...given };
    const answer = await this.call('POST', '/api/webhooks/endpoints', { key, json });
    expect(answer.status, answer.text).toBe(201);
    return answer.body as EndpointAnswer;
  }

  /** Makes the service write the events of an account: creates a disabled endpoint for all types. */
  async listen(account: Pick<TestAccount, 'id'>): Promise<void> {
    await this.rows(
      `INSERT INTO webhook_endpoints (id, account_id, url, events, metadata, enabled, disabled_reason, sealed_secret, previous_secrets,
         created_at, updated_at)
       VALUES ('we_' || md5($1), $1, 'https://receiver.example/', '{*}', '{}', false, 'manual', '', '[]', now(), now())`,
      [account.id],
    );
  }

  /** Creates a delivery (a ping) to an endpoint of the account. */
  async newDelivery(account: Pick<TestAccount, 'id'>, endpointId: string): Promise<{ id: string }> {
    const { key } = await this.accountsService.createKey(account.id, 'Ping', ['webhook:manage'], null);
    const answer = await this.call('POST', `/api/webhooks/endpoints/${endpointId}/ping`, { key });
    expect(answer.status, answer.text).toBe(202);
    return answer.body as { id: string };
  }

  /** Everything that a request could leave behind. */
  footprint(): Promise<Footprint> {
    return measureFootprint(this.app, join(this.parts.dataDir, 'objects'));
  }

  /** Reads rows that no endpoint exposes. */
  async rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.app.get(Database).query<Row>(text, values);
  }

  /** The types of the account's events, in the order in which they were written. */
  async eventTypes(account: TestAccount): Promise<string[]> {
    const text = 'SELECT type FROM events WHERE account_id = $1 ORDER BY id';
    const rows = await this.rows<{ type: string }>(text, [account.id]);
    return rows.map((row) => row.type);
  }

  /** A shared harness stays open for the next spec file. */
  async close(): Promise<void> {
    if (this.parts.owner === 'run') return;
    await this.app.close();
    if (this.parts.owner === 'other') return;
    await this.parts.database.drop();
    await rm(this.parts.dataDir, { recursive: true, force: true });
  }
}
