import { type DynamicModule, type FactoryProvider, Logger, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Catalog } from '../../models/repository/catalog.js';
import { mirroredModels, modelsWarning } from '../../models/mirror/mirrored-models.js';
import { loadCatalog } from '../../models/repository/load-catalog.js';
import type { Config } from '../../config/env.js';
import { usesSecret } from '../../config/secrets/role-secrets.js';
import { CONFIG, SIGNING_KEYS } from '../../config/tokens.js';
import {
  type ConnectionTraits,
  connectionTraits,
  dataSourceOptions,
} from '../../infra/database/data-source.js';
import { clockOffsetMs } from '../../infra/database/clock-offset.js';
import { Database } from '../../infra/database/database.js';
import { refuseOutdatedSchema } from '../../infra/database/migrate.js';
import { Notifications } from '../../infra/database/notifications.js';
import { ReadReplica } from '../../infra/database/read-replica.js';
import { SecretBox } from '../../infra/sealing/secret-box.js';
import { ObjectErasures } from '../../infra/storage/object-erasures.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { openObjectStore } from '../../infra/storage/open-object-store.js';
import { DatabaseMetrics } from '../../infra/telemetry/database-metrics.js';
import { Metrics } from '../../infra/telemetry/metrics.js';
import { StorageMetrics } from '../../infra/telemetry/storage-metrics.js';
import { Tracing } from '../../infra/telemetry/tracing/tracing.js';
import { CLOCK_ADVICE, clockDifference } from '../../kernel/time/clock-difference.js';
import { ignoreConnectionErrors } from './connection-errors.js';
import { ENTITIES } from './entities.js';
import { leaveUnfinishedRestore } from './leave-unfinished-restore.js';
import { roleTracing } from './role-tracing.js';
import type { RoleSettings } from '../../roles/role-settings.js';

/** The parts that a worker creates before its application. Other roles create them here. */
export interface CoreParts {
  /** The models that the worker has loaded. Other roles read the model repository. */
  readonly catalog?: Catalog;
  readonly metrics?: Metrics;
  readonly tracing?: Tracing;
}

/** The base of every role: configuration, database, object store, model list. */
@Module({})
export class CoreModule {
  static for(settings: RoleSettings, { catalog, metrics, tracing }: CoreParts = {}): DynamicModule {
    const { role, databaseUrl } = settings;
    const directUrl = settings.config.databaseDirectUrl ?? databaseUrl;
    // The queue and others read the URLs from the configuration, so it must contain the final ones.
    const config: Config = { ...settings.config, databaseUrl, databaseDirectUrl: directUrl };
    const traits = connectionTraits(config);
    const lists = usesSecret(role, 'DATABASE_READ_URL') ? replicaProviders(config, traits) : [];
    const sealing = usesSecret(role, 'SEALING_KEY')
      ? [{ provide: SecretBox, useFactory: () => new SecretBox(settings.sealingKeys) }]
      : [];
    return {
      module: CoreModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions({
            databaseUrl,
            poolSize: config.databasePoolSize,
            applicationName: `ies-${role}`,
            entities: ENTITIES,
            traits,
          }),
          retryAttempts: 20,
          retryDelay: 500,
        }),
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: SIGNING_KEYS, useValue: settings.signingKeys },
        ...sealing,
        ...lists,
        { provide: Metrics, useFactory: () => metrics ?? new Metrics(role) },
        { provide: Tracing, useFactory: () => tracing ?? roleTracing(settings) },
        {
          provide: Database,
          inject: [getDataSourceToken(), Metrics, Tracing, { token: ReadReplica, optional: true }],
          useFactory: async (
            dataSource: DataSource,
            measured: Metrics,
            traced: Tracing,
            replica?: ReadReplica,
          ) => {
            ignoreConnectionErrors(dataSource);
            await refuseOutdatedSchema(dataSource);
            const database = new Database(dataSource, { tracing: traced, replica });
            const logger = new Logger('restore');
            await leaveUnfinishedRestore(database, (text) => logger.warn(text));
            await warnOfWrongClock(database);
            void new DatabaseMetrics(measured, database);
            return database;
          },
        },
        {
          provide: Notifications,
          useFactory: () => {
            const logger = new Logger('notifications');
            return new Notifications({
              databaseUrl: directUrl,
              applicationName: `ies-${role}`,
              warn: (text) => logger.warn(text),
            });
          },
        },
        {
          provide: ObjectStore,
          inject: [Metrics],
          useFactory: async (measured: Metrics) =>
            new StorageMetrics(measured).watch(await openObjectStore(config, settings)),
        },
        ObjectErasures,
        { provide: Catalog, useFactory: () => catalog ?? repositoryCatalog(config) },
      ],
      exports: [
        CONFIG,
        SIGNING_KEYS,
        Metrics,
        Tracing,
        ...sealing.map(({ provide }) => provide),
        Database,
        Notifications,
        ObjectStore,
        ObjectErasures,
        Catalog,
      ],
    };
  }
}

async function warnOfWrongClock(database: Database): Promise<void> {
  const difference = clockDifference(await clockOffsetMs(database));
  if (difference !== undefined) new Logger('clock').warn(`${difference}. ${CLOCK_ADVICE}`);
}

/** The content of the model repository when the process starts. */
async function repositoryCatalog(config: Config): Promise<Catalog> {
  (await mirroredModels(config, modelsWarning(new Logger())))?.close();
  return loadCatalog(config.modelsDir);
}

/** Undefined without `DATABASE_READ_URL`. */
function replicaProviders(config: Config, traits: ConnectionTraits): FactoryProvider<ReadReplica>[] {
  const { databaseReadUrl, databasePoolSize } = config;
  if (databaseReadUrl === undefined) return [];
  const useFactory = (): ReadReplica => {
    const logger = new Logger('read-replica');
    return new ReadReplica({
      databaseUrl: databaseReadUrl,
      poolSize: databasePoolSize,
      applicationName: 'ies-api',
      traits,
      warn: (text) => logger.warn(text),
    });
  };
  return [{ provide: ReadReplica, useFactory }];
}
