import { watchFile } from 'node:fs';
import type { Config } from '../env.js';
import { loadSecrets, secretsPath, type Secrets } from './secrets.js';

/** The keys in force, newest first: the first one signs or seals, all of them are accepted. Never empty. */
export type KeySource = () => readonly string[];

export interface KeySources {
  readonly signingKeys: KeySource;
  readonly sealingKeys: KeySource;
}

/** How often a process looks whether the keys in `DATA_DIR/secrets.json` were changed, in milliseconds. */
export const KEY_WATCH_MS = 1_000;

/**
 * The keys of this process: those of the environment, or else those of `DATA_DIR/secrets.json`, which is watched, so
 * that a rotation reaches a running process within seconds. The environment is read once.
 * @throws Error with a sentence for people when the file cannot be used
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
    // A file that cannot be read at this moment changes nothing: the keys stay as they are.
    loadSecrets(dataDir).then(
      (secrets) => (current = secrets),
      () => undefined,
    );
  };
  watchFile(secretsPath(dataDir), { interval: KEY_WATCH_MS, persistent: false }, reload);
  // Looks once more: a rotation between the first reading and the watch is not missed.
  reload();
  return () => current;
}
