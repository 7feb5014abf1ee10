import type { Config } from '../../config/env.js';
import { secretsPath } from '../../config/secrets/secrets.js';
import { fingerprint, serviceKeys } from '../secrets/service-keys.js';
import type { KeptSecret } from './backup-manifest.js';

const NEEDED_FOR = {
  signing: 'file addresses that were given out before; without it they answer 404',
  sealing: 'signing secrets of webhook endpoints; without it each endpoint needs a new one',
} as const;

/** The secrets that a restore needs, and where this installation stores them. Never their values. */
export async function keptSecrets(config: Config): Promise<readonly KeptSecret[]> {
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
