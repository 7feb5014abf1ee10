import { spawnSync } from 'node:child_process';
import { lstatSync, statSync } from 'node:fs';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { stopLeftovers } from './leftovers.js';
import type { Log } from './log.js';
import { binaryPath, locateBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { canReach, isRoot, postgresIdentity, type ServerIdentity } from './server-identity.js';
import { claimStaged, moveCluster, recoverMove, stageBinaries, stageCluster } from './staging.js';

/** Paths of the server's programs and data, and its user. */
export interface Placement {
  readonly binaries: PostgresBinaries;
  /** Real path of the data folder. It may not exist yet; its parent does. */
  readonly clusterDir: string;
  /** `undefined` means the current user. */
  readonly identity: ServerIdentity | undefined;
}

/**
 * Decides where the cluster of `dataDir` is stored and makes every folder above it accessible to the server's user.
 * Usually that is `DATA_DIR/postgres` and the npm package. Below an inaccessible folder (a clone in /root), both are
 * staged under /var/lib, which is logged. Stops processes that an earlier run left on the cluster.
 * @throws EmbeddedPostgresError with a readable message
 */
export async function placeCluster(dataDir: string, log: Log): Promise<Placement> {
  await mkdir(dataDir, { recursive: true });
  const located = locateBinaries();
  const path = join(dataDir, 'postgres');
  await recoverMove(path);
  const existing = await existingCluster(path);
  if (existing !== undefined) {
    await claimStaged(dataDir, existing);
    await stopLeftovers(existing, log);
  }
  if (!isRoot()) {
    checkOwner(existing);
    return {
      binaries: located,
      clusterDir: existing ?? (await newClusterPath(dataDir)),
      identity: undefined,
    };
  }
  const identity = ownerOf(existing) ?? postgresIdentity(log);
  const isOpen = canReach(binaryPath(located, 'postgres'), identity, 'execute');
  const binaries = isOpen ? located : await stageBinaries(located);
  const clusterDir = await reachableCluster(dataDir, existing, identity);
  const staged = [
    ...(isOpen ? [] : [`its programs are copied to ${binaries.rootDir}`]),
    ...(clusterDir.startsWith(await realpath(dataDir)) ? [] : [`its data lies in ${clusterDir}`]),
  ];
  if (staged.length > 0) {
    log.info(`PostgreSQL's user (uid ${identity.uid}) cannot enter this folder, so ${staged.join(' and ')}`);
  }
  return { binaries, clusterDir, identity };
}

async function newClusterPath(dataDir: string): Promise<string> {
  return join(await realpath(dataDir), 'postgres');
}

async function existingCluster(path: string): Promise<string | undefined> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    return await realpath(path);
  } catch (error) {
    const isClosed = (error as NodeJS.ErrnoException).code === 'EACCES';
    throw new EmbeddedPostgresError(
      isClosed
        ? `The database behind ${path} belongs to another user. Run the service as that user or as root, or choose another DATA_DIR.`
        : `${path} is a link to a database that is not there. Bring it back, or delete the link to start with an empty one.`,
      { cause: error },
    );
  }
}

function checkOwner(existing: string | undefined): void {
  if (existing === undefined || process.getuid === undefined) return;
  const { uid } = statSync(existing);
  if (uid === process.getuid()) return;
  throw new EmbeddedPostgresError(
    `The database in ${existing} belongs to another user (uid ${uid}). Run the service as that user or as root, or choose another DATA_DIR.`,
  );
}

/** Only its owner can serve a cluster; that may be an ordinary user who ran the service before. */
function ownerOf(existing: string | undefined): ServerIdentity | undefined {
  if (existing === undefined) return undefined;
  const { uid, gid } = statSync(existing);
  return uid === 0 ? undefined : { uid, gid };
}

async function reachableCluster(
  dataDir: string,
  existing: string | undefined,
  identity: ServerIdentity,
): Promise<string> {
  const path = join(dataDir, 'postgres');
  if (existing === undefined) {
    if (canReach(dataDir, identity, 'enter')) return newClusterPath(dataDir);
    const staged = await stageCluster(dataDir, identity);
    await mkdir(staged, { mode: 0o700 });
    await symlink(staged, path);
    return staged;
  }
  if (statSync(existing).uid === 0) {
    spawnSync('chown', ['-R', `${identity.uid}:${identity.gid}`, existing]);
  }
  if (canReach(existing, identity, 'enter')) return existing;
  const staged = await stageCluster(dataDir, identity);
  await moveCluster(existing, staged, identity);
  return staged;
}
