import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { type KeySource, type KeySources, keySources } from '../config/secrets/key-sources.js';
import { usesSecret } from '../config/secrets/role-secrets.js';
import { databaseUrlFor } from '../infra/database/embedded/database-url.js';
import { StartError } from './start-error.js';

export type Role = 'api' | 'worker' | 'dispatcher';

/** The configuration of one process, with defaults resolved. */
export interface RoleSettings {
  readonly role: Role;
  readonly config: Config;
  readonly databaseUrl: string;
  readonly signingKeys: KeySource;
  /** Undefined for a role that does not use them. */
  readonly sealingKeys: KeySource;
  /** Where image bytes are stored. */
  readonly objectsDir: string;
  /** Where a worker stores pixels while it processes them. */
  readonly scratchDir: string;
}

/** @throws StartError when no database is configured */
export async function roleSettings(role: Role, config: Config): Promise<RoleSettings> {
  const databaseUrl = await databaseUrlFor(config);
  if (databaseUrl === undefined) {
    throw new StartError(
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

/** A role that seals nothing neither requires sealing keys nor keeps configured ones. */
function keysOf(role: Role, config: Config): Promise<KeySources> {
  const used = usesSecret(role, 'SEALING_KEY') ? config : { ...config, sealingKeys: [] };
  const logger = new Logger('secrets');
  return keySources(used, (text) => logger.warn(text));
}
