import { directUrlFor } from '../../infra/database/embedded/database-url.js';
import { requestModelReload } from '../../models/serving/models-reload.js';
import { withDatabase } from '../../app/role/database-session.js';
import { type ModelsCommand, ModelsError } from './models-command.js';

/** `models reload`: makes every worker of the service rescan its models now. Rejected versions are checked again. */
export const reloadModels: ModelsCommand = async ({ config }) => {
  const databaseUrl = await directUrlFor(config);
  if (databaseUrl === undefined) {
    throw new ModelsError(
      'No service is running on this DATA_DIR, so there is nothing to reload. A service reads its models when it starts. If it runs in another container, run the command there: docker exec <container> …',
    );
  }
  await withDatabase(databaseUrl, (dataSource) => requestModelReload(dataSource));
  return {
    json: { asked: true },
    text: 'The workers are checking their models now. See GET /health/models for the result.',
  };
};
