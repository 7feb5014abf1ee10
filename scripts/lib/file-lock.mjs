import { createHash } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 300;
const TAKEOVER_POLL_MS = 10;

/**
 * Does `work` while no other process does it for the same `path`; waits for one that does.
 * @param {string} path a file that exists while someone works
 * @param {(text: string) => void} say told once when there is someone to wait for
 * @param {() => Promise<void>} work
 */
export async function withFileLock(path, say, work) {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, String(process.pid));
  let hasSaid = false;
  try {
    for (;;) {
      const holder = await claim(path, draft);
      if (holder === undefined) break;
      if (!hasSaid) say(`Waiting for another setup (pid ${holder}) to end …`);
      hasSaid = true;
      await sleep(POLL_MS);
    }
  } finally {
    await unlink(draft);
  }
  try {
    await work();
  } finally {
    await unlink(path).catch(() => undefined);
  }
}

/**
 * Takes the lock unless a living process holds it; the method is that of src/supervisor/data-dir-lock.ts,
 * which cannot be used here because this runs before anything is built.
 * @returns {Promise<string | undefined>} pid of the living holder
 */
async function claim(path, draft) {
  for (;;) {
    try {
      await link(draft, path);
      return undefined;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const found = await readFile(path, 'utf8').catch(() => undefined);
    if (found === undefined) continue;
    if (isAlive(Number(found))) return found;
    const takeover = `${path}.${createHash('sha256').update(found).digest('hex').slice(0, 12)}`;
    if ((await claim(takeover, draft)) !== undefined) {
      await sleep(TAKEOVER_POLL_MS);
      continue;
    }
    if ((await readFile(path, 'utf8').catch(() => undefined)) === found) {
      await rename(takeover, path);
      return undefined;
    }
    await unlink(takeover);
  }
}

function isAlive(pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
