import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../env.js';
import { loadSecrets, secretsPath, storedSecrets, type Secrets } from './secrets.js';

/** The valid keys, newest first. The first signs or seals; all are accepted. Never empty. */
export type KeySource = () => readonly string[];

export interface KeySources {
  readonly signingKeys: KeySource;
  readonly sealingKeys: KeySource;
}

/** How often a process reads the keys in `DATA_DIR/secrets.json` again, in milliseconds. */
export const KEY_WATCH_MS = 1_000;

const STILL_USED =
  'This process still uses the keys that it read before. Restore the file before you restart it.';

/**
 * The keys of this process: from the environment, or otherwise from `DATA_DIR/secrets.json`. The file is read every
 * second, so that a rotation reaches a running process within seconds. The environment is read once.
 * @param warn called once when the file can no longer be used; the current keys stay valid
 * @throws Error with a readable message when the file cannot be used
 */
export async function keySources(config: Config, warn: (text: string) => void): Promise<KeySources> {
  const { signingKeys, sealingKeys, dataDir } = config;
  if (signingKeys !== undefined && sealingKeys !== undefined)
    return { signingKeys: () => signingKeys, sealingKeys: () => sealingKeys };
  const current = await watchedSecrets(dataDir, warn);
  return {
    signingKeys: signingKeys === undefined ? () => current().urlSigningKeys : () => signingKeys,
    sealingKeys: sealingKeys === undefined ? () => current().sealingKeys : () => sealingKeys,
  };
}

async function watchedSecrets(dataDir: string, warn: (text: string) => void): Promise<() => Secrets> {
  let current = await loadSecrets(dataDir);
  let reported: string | undefined;
  /** @returns why the file cannot be used */
  const read = async (): Promise<string | undefined> => {
    try {
      // Only reads: a new file would contain new keys, which do not open what the current ones sealed.
      const secrets = await storedSecrets(dataDir);
      if (secrets === undefined) return `${secretsPath(dataDir)} is missing.`;
      current = secrets;
      return undefined;
    } catch (error) {
      return String(error);
    }
  };
  const reload = async (): Promise<void> => {
    const fault = await read();
    if (fault !== undefined && fault !== reported) warn(`${fault} ${STILL_USED}`);
    reported = fault;
  };
  void repeat(reload);
  return () => current;
}

/** Does not keep the process running. Watching the attributes of the file is not enough: NFS caches them for a minute. */
async function repeat(reload: () => Promise<void>): Promise<never> {
  for (;;) {
    await reload();
    await sleep(KEY_WATCH_MS, undefined, { ref: false });
  }
}
