import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIST } from '../../lib/paths.mjs';

const built = (path) => import(pathToFileURL(join(DIST, path)).href);

/** Connects like the service. */
export async function connectDataSource(databaseUrl) {
  const { createDataSource } = await built('infra/database/data-source.js');
  const { ENTITIES } = await built('app/role/entities.js');
  const settings = { databaseUrl, poolSize: 2, applicationName: 'growth', entities: ENTITIES };
  return createDataSource(settings).initialize();
}
