import { watchFile } from 'node:fs';
import type { Config } from '../env.js';
import { loadSecrets, secretsPath, type Secrets } from './secrets.js';

/** The valid keys, newest first. The first signs or seals; all are accepted. Never empty. */
export type KeySource = () => readonly string[];

export interface KeySources {
  readonly signingKeys: KeySource;
  readonly sealingKeys: KeySource;
}

/** How often a process checks whether the keys in `DATA_DIR/secrets.json` have changed, in milliseconds. */
export const KEY_WATCH_MS = 1_000;

/**
 * The keys of this process: from the environment, or otherwise from `DATA_DIR/secrets.json`. The file is watched, so
 * that a rotation reaches a running process within seconds. The environment is read once.
 * @throws Error with a readable message when the file cannot be used
 */
export async function keySources(config: Config): Promise<KeySources> {
  const { signingKeys, sealingKeys, dataDir } = config;
  if (signingKeys !== undefined && sealingKeys !== undefined)
    return { signingKeys: () => signingKeys, sealingKeys: () => sealingKeys };
  const current = await watchedSecrets(dataDir);
  return {
    signingKeys: signingKeys === undefined ? () => current().urlSigningKeys : () => signingKeys,
    sealingKeys: sealingKeys === undefined ? () => current().sealingKeys : () => sealingKeys,
  };
}

async function watchedSecrets(dataDir: string): Promise<() => Secrets> {
  let current = await loadSecrets(dataDir);
  const reload = (): void => {
    // A file that is temporarily unreadable changes nothing: the current keys stay valid.
    loadSecrets(dataDir).then(
      (secrets) => (current = secrets),
      () => undefined,
    );
  };
  watchFile(secretsPath(dataDir), { interval: KEY_WATCH_MS, persistent: false }, reload);
  // Reads again, so that a rotation between the first read and the watch is not missed.
  reload();
  return () => current;
}
