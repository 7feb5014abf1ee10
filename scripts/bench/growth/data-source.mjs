import { built } from '../../lib/built.mjs';

/** Connects like the service. */
export async function connectDataSource(databaseUrl) {
  const { createDataSource } = await built('infra/database/data-source.js');
  const { ENTITIES } = await built('app/role/entities.js');
  const settings = { databaseUrl, poolSize: 2, applicationName: 'growth', entities: ENTITIES };
  return createDataSource(settings).initialize();
}
