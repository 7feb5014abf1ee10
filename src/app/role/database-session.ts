import type { DataSource } from 'typeorm';
import { createDataSource } from '../../infra/database/data-source.js';
import { ignoreConnectionErrors } from './connection-errors.js';
import { ENTITIES } from './entities.js';

/** Opens a small connection pool for a command and always closes it. */
export async function withDatabase<T>(
  databaseUrl: string,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = createDataSource({
    databaseUrl,
    poolSize: 2,
    applicationName: 'ies-admin',
    entities: ENTITIES,
  });
  await dataSource.initialize();
  ignoreConnectionErrors(dataSource);
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
