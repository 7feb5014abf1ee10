import { readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 300;

/**
 * Does `work` while no other process does it for the same `path`; waits for one that does.
 * @param {string} path a file that exists while someone works
 * @param {(text: string) => void} say told once when there is someone to wait for
 * @param {() => Promise<void>} work
 */
export async function withFileLock(path, say, work) {
  await acquire(path, say);
  const release = () => unlink(path).catch(() => undefined);
  try {
    await work();
  } finally {
    await release();
  }
}

async function acquire(path, say) {
  let hasSaid = false;
  for (;;) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = await readFile(path, 'utf8').catch(() => undefined);
    if (holder === undefined) continue;
    // Empty for an instant: the holder has made the file and not written its number yet.
    if (holder !== '' && !isAlive(Number(holder))) {
      await putAside(path, holder);
      continue;
    }
    if (!hasSaid) say(`Waiting for another setup (pid ${holder}) to end …`);
    hasSaid = true;
    await sleep(POLL_MS);
  }
}

/** Takes a dead holder's lock away; if someone else was faster and holds it anew, puts that one back. */
async function putAside(path, stale) {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if ((await readFile(aside, 'utf8')) === stale) await unlink(aside);
  else await rename(aside, path);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
