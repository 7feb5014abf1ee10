import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { chmod, chown, cp, mkdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { binaryPath, type PostgresBinaries } from './postgres-binaries.js';
import type { ServerIdentity } from './server-identity.js';

/** Where root keeps what the user `postgres` cannot access in its original place, for example below /root. */
export const STAGING_DIR = '/var/lib/image-enhancement-service';

const ASIDE = '.moved';
/** The roles of a killed supervisor write until they have ended. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

/** Copies the programs, once per version. Every installation on this machine shares the copy. */
export async function stageBinaries(binaries: PostgresBinaries): Promise<PostgresBinaries> {
  const rootDir = join(STAGING_DIR, `postgresql-${binaries.version}-${process.platform}-${process.arch}`);
  const staged = { ...binaries, rootDir };
  if (existsSync(binaryPath(staged, 'postgres'))) return staged;
  await makeOpenDir(STAGING_DIR);
  const draft = `${rootDir}.${randomBytes(4).toString('hex')}`;
  await cp(join(binaries.rootDir, 'native'), join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  command('chmod', ['-R', 'a+rX', draft]);
  try {
    await rename(draft, rootDir);
  } catch (error) {
    // Another process staged the same files first.
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(binaryPath(staged, 'postgres'))) throw error;
  }
  return staged;
}

/**
 * Creates an empty staged home for the cluster of `dataDir`, named after a hash of its real path.
 * @returns path for the cluster; its parent belongs to `identity`
 */
export async function stageCluster(dataDir: string, identity: ServerIdentity): Promise<string> {
  const owner = await realpath(dataDir);
  const clustersDir = join(STAGING_DIR, 'clusters');
  await makeOpenDir(STAGING_DIR);
  await makeOpenDir(clustersDir);
  const hash = createHash('sha256').update(owner).digest('hex').slice(0, 16);
  const home = await firstFree(join(clustersDir, hash));
  await chown(home, identity.uid, identity.gid);
  await writeOwner(home, owner);
  return join(home, 'postgres');
}

/**
 * Moves an inaccessible cluster to its staged home and leaves a link. The original is set aside until the link
 * exists, and deleted last (see `recoverMove`).
 */
export async function moveCluster(from: string, to: string, identity: ServerIdentity): Promise<void> {
  // cp keeps times, owners and links, which node's own copy does not.
  command('cp', ['-a', from, to]);
  command('chown', ['-R', `${identity.uid}:${identity.gid}`, to]);
  await rename(from, from + ASIDE);
  await symlink(to, from);
  await rm(from + ASIDE, { recursive: true });
}

/** Restores a cluster that an interrupted move had set aside. */
export async function recoverMove(path: string): Promise<void> {
  const isPlaced = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (!existsSync(path + ASIDE)) return;
  if (isPlaced) await rm(path + ASIDE, { recursive: true });
  else await rename(path + ASIDE, path);
}

/**
 * Checks that a staged cluster belongs to this DATA_DIR. A moved DATA_DIR keeps its cluster; a copied one must not
 * share the original's.
 */
export async function claimStaged(dataDir: string, clusterDir: string): Promise<void> {
  if (!isStaged(clusterDir)) return;
  const home = dirname(clusterDir);
  const claimant = await realpath(dataDir);
  const owner = readOwner(home);
  if (owner === claimant) return;
  const original =
    owner === undefined ? undefined : await realpath(join(owner, 'postgres')).catch(() => undefined);
  if (original === clusterDir) {
    throw new EmbeddedPostgresError(
      `${join(dataDir, 'postgres')} is a link to the database of ${owner}: this folder is a copy of that one. Delete the link to start with an empty database, or copy the folder that it points to in its place.`,
    );
  }
  await writeOwner(home, claimant);
}

/** Deletes a DATA_DIR and everything staged for it. Only for temporary ones, in demos and tests. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const clusterDir = await realpath(join(dataDir, 'postgres')).catch(() => undefined);
  if (clusterDir !== undefined && isStaged(clusterDir)) {
    await rm(dirname(clusterDir), REMOVAL);
  }
  await rm(dataDir, REMOVAL);
}

function isStaged(clusterDir: string): boolean {
  return !relative(join(STAGING_DIR, 'clusters'), clusterDir).startsWith('..');
}

async function firstFree(path: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? path : `${path}-${count}`;
    try {
      await mkdir(candidate, { mode: 0o700 });
      return candidate;
    } catch (error) {
      // The folder belongs to a DATA_DIR that was moved or deleted. It is never reused and never deleted.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function readOwner(home: string): string | undefined {
  try {
    const parsed = JSON.parse(readFileSync(join(home, 'owner.json'), 'utf8')) as { dataDir?: string };
    return parsed.dataDir;
  } catch {
    return undefined;
  }
}

async function writeOwner(home: string, dataDir: string): Promise<void> {
  await writeFile(join(home, 'owner.json'), `${JSON.stringify({ dataDir })}\n`);
}

async function makeOpenDir(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  // Regardless of the umask: the server's user must be able to enter.
  await chmod(path, 0o755);
}

function command(program: string, args: readonly string[]): void {
  const result = spawnSync(program, args, { encoding: 'utf8' });
  if (result.status !== 0) {
    throw new EmbeddedPostgresError(
      `"${program} ${args.join(' ')}" failed: ${result.error?.message ?? result.stderr.trim()}`,
    );
  }
}
