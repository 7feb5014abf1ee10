import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdir, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { Placement } from './placement.js';
import { binaryPath } from './postgres-binaries.js';
import type { Durability } from './server-settings.js';

const WORKSPACE = '.postgres-init-';

/**
 * Creates the cluster if there is none. It is created in a workspace and renamed as the last step, so a
 * killed run leaves no partial cluster, only a workspace that the next run removes.
 * @param password of the superuser `postgres`
 * @throws EmbeddedPostgresError when initdb fails or the cluster has another major version
 */
export async function initCluster(
  placement: Placement,
  password: string,
  durability: Durability,
): Promise<void> {
  const { clusterDir, identity } = placement;
  const parent = dirname(clusterDir);
  await removeWorkspaces(parent);
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return checkVersion(placement);
  const workspace = await mkdtemp(join(parent, WORKSPACE));
  try {
    const passwordFile = join(workspace, 'password');
    const data = join(workspace, 'data');
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    await mkdir(data, { mode: 0o700 });
    if (identity !== undefined) {
      for (const path of [workspace, passwordFile, data]) await chown(path, identity.uid, identity.gid);
    }
    await runInitdb(placement, data, passwordFile, durability);
    await rename(data, clusterDir);
    await syncDir(parent);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

async function removeWorkspaces(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name.startsWith(WORKSPACE)) await rm(join(parent, name), { recursive: true, force: true });
  }
}

function checkVersion({ binaries, clusterDir }: Placement): void {
  const found = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim();
  const major = binaries.version.split('.')[0];
  if (found === major) return;
  throw new EmbeddedPostgresError(
    `The database in ${clusterDir} was made by PostgreSQL ${found}, and the installed one is ${major}. Dump it with the old version and restore it with the new one.`,
  );
}

async function runInitdb(
  { binaries, identity }: Placement,
  data: string,
  passwordFile: string,
  { durable }: Durability,
): Promise<void> {
  const args = [
    `--pgdata=${data}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Sorts by code point and handles the case of all letters, regardless of the system's locales.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? [`--sync-method=${process.platform === 'linux' ? 'syncfs' : 'fsync'}`] : ['--no-sync']),
  ];
  // The current folder may be unreadable for the server's user, and the environment may contain PG* variables.
  const child = spawn(binaryPath(binaries, 'initdb'), args, {
    ...identity,
    cwd: '/',
    env: {},
    // Not affected by Ctrl-C, which the supervisor handles afterward.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  }
  const code = await new Promise<number | string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (status, signal) => resolve(status ?? signal));
  });
  if (code === 0) return;
  throw new EmbeddedPostgresError(initdbFault(output, code));
}

function initdbFault(output: string, code: number | string | null): string {
  if (output.includes('could not look up effective user ID')) {
    return 'PostgreSQL needs its user to have a name, and the current user id has none in /etc/passwd. Run as a named user, or set DATABASE_URL.';
  }
  const lines = output.trim().split('\n').slice(-5).join(' | ');
  return `PostgreSQL's initdb failed (${code}): ${lines}`;
}

async function syncDir(path: string): Promise<void> {
  const dir = await open(path, 'r');
  try {
    await dir.sync();
  } finally {
    await dir.close();
  }
}
