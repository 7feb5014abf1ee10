import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { runModelsCommand } from '../../support/models/models-command.js';
import { temporaryModels } from '../../support/models/models-dir.js';

it('npm run models -- reload tells the workers of a service to rescan their models', async () => {
  const models = await temporaryModels();
  const databaseUrl = inject('templateUrl');
  const listener = new pg.Client({ connectionString: databaseUrl });
  await listener.connect();
  await listener.query('LISTEN models_reload');
  const heard = new Promise((resolve) => listener.once('notification', resolve));
  const { code } = await runModelsCommand(['reload', '--json'], models.path, { DATABASE_URL: databaseUrl });
  expect(code).toBe(0);
  await heard;
  await listener.end();
  const alone = await runModelsCommand(['reload', '--json'], models.path, { DATA_DIR: models.path });
  expect(alone).toMatchObject({ code: 1, json: { error: expect.stringContaining('No service is running') } });
  await models.remove();
});
