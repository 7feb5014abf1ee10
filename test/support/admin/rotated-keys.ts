import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadSecrets } from '../../../src/config/secrets/secrets.js';

/** The lists of signing keys in the file until a command ends, and when each was first seen. */
export async function keyListsDuring(
  dataDir: string,
  command: Promise<unknown>,
): Promise<{ keys: readonly string[]; atMs: number }[]> {
  const lists: { keys: readonly string[]; atMs: number }[] = [];
  const ended = command.then(() => true);
  do {
    const { urlSigningKeys: keys } = await loadSecrets(dataDir);
    if (keys.join() !== lists.at(-1)?.keys.join()) lists.push({ keys, atMs: performance.now() });
  } while (!(await Promise.race([ended, sleep(20, false)])));
  return lists;
}

/** Makes the rotation look that old. */
export async function ageRotation(dataDir: string, seconds: number): Promise<void> {
  const path = join(dataDir, 'secrets.json');
  const kept = JSON.parse(await readFile(path, 'utf8')) as { rotatedAt: Record<string, string> };
  const at = new Date(Date.now() - seconds * 1_000).toISOString();
  kept.rotatedAt = Object.fromEntries(Object.keys(kept.rotatedAt).map((field) => [field, at]));
  await writeFile(path, JSON.stringify(kept));
}
