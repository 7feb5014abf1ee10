import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Catalog } from '../../models/repository/catalog.js';
import { loadCatalog } from '../../models/repository/load-catalog.js';
import type { Config } from '../../config/env.js';
import { usesSecret } from '../../config/secrets/role-secrets.js';
import { CONFIG, SIGNING_KEYS } from '../../config/tokens.js';
import { dataSourceOptions } from '../../infra/database/data-source.js';
import { Database } from '../../infra/database/database.js';
import { refuseOutdatedSchema } from '../../infra/database/migrate.js';
import { Notifications } from '../../infra/database/notifications.js';
import { SecretBox } from '../../infra/sealing/secret-box.js';
import { DiskObjectStore } from '../../infra/storage/disk-object-store.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { ignoreConnectionErrors } from './connection-errors.js';
import { ENTITIES } from './entities.js';
import type { RoleSettings } from '../../roles/role-settings.js';

/** What every role stands on: configuration, database, object store, catalogue. */
@Module({})
export class CoreModule {
  /** @param catalog what a worker has in memory; every other role reads the model repository */
  static for(settings: RoleSettings, catalog?: Catalog): DynamicModule {
    const { config, role } = settings;
    const sealing = usesSecret(role, 'SEALING_KEY')
      ? [{ provide: SecretBox, useFactory: () => new SecretBox(settings.sealingKeys) }]
      : [];
    return {
      module: CoreModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions({
            databaseUrl: settings.databaseUrl,
            poolSize: config.databasePoolSize,
            applicationName: `ies-${role}`,
            entities: ENTITIES,
          }),
          retryAttempts: 20,
          retryDelay: 500,
        }),
      ],
      providers: [
        // The queue and others read the address from the configuration; here it is known for certain.
        { provide: CONFIG, useValue: { ...config, databaseUrl: settings.databaseUrl } satisfies Config },
        { provide: SIGNING_KEYS, useValue: settings.signingKeys },
        ...sealing,
        {
          provide: Database,
          inject: [getDataSourceToken()],
          useFactory: async (dataSource: DataSource) => {
            ignoreConnectionErrors(dataSource);
            await refuseOutdatedSchema(dataSource);
            return new Database(dataSource);
          },
        },
        {
          provide: Notifications,
          useFactory: () => {
            const logger = new Logger('notifications');
            const { databaseUrl } = settings;
            return new Notifications({
              databaseUrl,
              applicationName: `ies-${role}`,
              warn: (text) => logger.warn(text),
            });
          },
        },
        { provide: ObjectStore, useFactory: () => DiskObjectStore.open(settings.objectsDir) },
        { provide: Catalog, useFactory: () => catalog ?? loadCatalog(config.modelsDir) },
      ],
      exports: [
        CONFIG,
        SIGNING_KEYS,
        ...sealing.map(({ provide }) => provide),
        Database,
        Notifications,
        ObjectStore,
        Catalog,
      ],
    };
  }
}
