import { join } from 'node:path';
import type { Config } from '../config/env.js';
import { type KeySource, type KeySources, keySources } from '../config/secrets/key-sources.js';
import { usesSecret } from '../config/secrets/role-secrets.js';
import { databaseUrlFor } from '../infra/database/embedded/database-url.js';

export type Role = 'api' | 'worker' | 'dispatcher';

/** The configuration of one process, with what it needs but may leave out filled in. */
export interface RoleSettings {
  readonly role: Role;
  readonly config: Config;
  readonly databaseUrl: string;
  readonly signingKeys: KeySource;
  /** None for a role that does not use them. */
  readonly sealingKeys: KeySource;
  /** Where image bytes lie. */
  readonly objectsDir: string;
  /** Where a worker keeps pixels while it works on them. */
  readonly scratchDir: string;
}

/** @throws Error with a sentence for people when there is no database to talk to */
export async function roleSettings(role: Role, config: Config): Promise<RoleSettings> {
  const databaseUrl = await databaseUrlFor(config);
  if (databaseUrl === undefined) {
    throw new Error(
      `No database: set DATABASE_URL, or start the whole service with "npm start", which runs one in ${config.dataDir}.`,
    );
  }
  return {
    role,
    config,
    databaseUrl,
    ...(await keysOf(role, config)),
    objectsDir: join(config.dataDir, 'objects'),
    scratchDir: config.scratchDir ?? join(config.dataDir, 'scratch'),
  };
}

/** A role that seals nothing neither needs a key for it nor keeps one that it was given. */
function keysOf(role: Role, config: Config): Promise<KeySources> {
  return keySources(usesSecret(role, 'SEALING_KEY') ? config : { ...config, sealingKeys: [] });
}
