import type { Config } from '../../config/env.js';
import { secretsPath, storedSecrets } from '../../config/secrets/secrets.js';
import { fingerprint, serviceKeys } from '../secrets/service-keys.js';
import { BackupError } from './backup-error.js';
import type { KeptSecret } from './backup-manifest.js';

const NEEDED_FOR = {
  signing: 'file addresses that were given out before; without it they answer 404',
  sealing: 'signing secrets of webhook endpoints; without it each endpoint needs a new one',
} as const;

/**
 * The secrets that a restore needs, and where this installation stores them. Never their values.
 * @throws BackupError when neither the environment nor DATA_DIR has them. Creating new ones would hide the mistake
 */
export async function keptSecrets(config: Config): Promise<readonly KeptSecret[]> {
  const areInEnvironment = config.sealingKeys !== undefined && config.signingKeys !== undefined;
  if (!areInEnvironment && (await storedSecrets(config.dataDir)) === undefined)
    throw new BackupError(
      `${secretsPath(config.dataDir)} does not exist. Set DATA_DIR, or SEALING_KEY and URL_SIGNING_KEY, as for the service.`,
    );
  return Promise.all(
    (['sealing', 'signing'] as const).map(async (kind) => {
      const { keys, variable, field, isInEnvironment } = await serviceKeys(config, kind);
      return {
        name: variable,
        keptIn: isInEnvironment
          ? `the environment, ${variable}`
          : `${secretsPath(config.dataDir)}, field ${field}`,
        neededFor: NEEDED_FOR[kind],
        fingerprints: keys.map(fingerprint),
      };
    }),
  );
}
