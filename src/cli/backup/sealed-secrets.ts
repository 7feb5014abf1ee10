import { withDatabase } from '../../app/role/database-session.js';
import type { Config } from '../../config/env.js';
import { Database } from '../../infra/database/database.js';
import { SecretBox } from '../../infra/sealing/secret-box.js';
import { countSealed } from '../secrets/reseal.js';
import { serviceKeys } from '../secrets/service-keys.js';

/** Numbers of sealed values in the database that the keys of this command open, and do not open. */
export interface SealedSecrets {
  readonly readable: number;
  readonly unreadable: number;
}

/** @throws errors of the database, also if its schema is too old */
export async function sealedSecrets(config: Config, databaseUrl: string): Promise<SealedSecrets> {
  const { keys } = await serviceKeys(config, 'sealing');
  const { byKey, unreadable } = await withDatabase(databaseUrl, (dataSource) =>
    countSealed(new Database(dataSource), new SecretBox(keys), keys.length),
  );
  return { readable: byKey.reduce((sum, count) => sum + count, 0), unreadable };
}
