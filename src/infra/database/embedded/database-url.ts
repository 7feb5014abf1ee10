import type { Config } from '../../../config/env.js';
import { loadSecrets, type Secrets } from '../../../config/secrets/secrets.js';
import { type ConnectionRecord, readConnectionRecord } from './connection-record.js';
import { processRealm, processStamp } from '../../processes/process-stamp.mjs';

/** The database that the service uses within the embedded server. */
export const DATABASE_NAME = 'ies';

/** URL of that database. */
export function embeddedUrl(secrets: Secrets, port: number): string {
  return `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${port}/${DATABASE_NAME}`;
}

/**
 * The database URL for a process besides the service, such as the admin command: the configured one, otherwise the
 * embedded one while it runs, otherwise `undefined`. The server of another container is not reachable at its address.
 */
export async function databaseUrlFor(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<string | undefined> {
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  const record = readConnectionRecord(config.dataDir);
  if (record === undefined || !isRunningHere(record)) return undefined;
  return embeddedUrl(await loadSecrets(config.dataDir), record.port);
}

/** Like `databaseUrlFor`, but without a pooler: for migrations, COPY, and everything else that needs a session. */
export async function directUrlFor(
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>,
): Promise<string | undefined> {
  return config.databaseDirectUrl ?? databaseUrlFor(config);
}

function isRunningHere({ pid, stamp, realm }: ConnectionRecord): boolean {
  // Older versions wrote no realm.
  return pid !== undefined && (realm ?? processRealm()) === processRealm() && processStamp(pid) === stamp;
}
