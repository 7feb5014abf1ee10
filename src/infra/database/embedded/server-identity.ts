import { spawnSync } from 'node:child_process';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { Log } from './log.js';

/** The user of the server when this process is root, because PostgreSQL refuses to run as root. */
export interface ServerIdentity {
  readonly uid: number;
  readonly gid: number;
}

const USER = 'postgres';

/** Whether this process runs as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The system user `postgres`, created when missing. Only for root.
 * @throws EmbeddedPostgresError when it does not exist and cannot be created
 */
export function postgresIdentity(log: Log): ServerIdentity {
  const found = lookUp();
  if (found !== undefined) return found;
  // Fails harmlessly when only the group exists already.
  run('groupadd', ['--system', USER]);
  const made = run('useradd', [
    '--system',
    '--gid',
    USER,
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
    USER,
  ]);
  const identity = lookUp();
  if (identity === undefined) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and the system user "${USER}" could not be made (${made}). Make it, run as an ordinary user, or set DATABASE_URL.`,
    );
  }
  log.info(`made the system user "${USER}", as which the embedded PostgreSQL runs`);
  return identity;
}

/**
 * Whether that user can reach and read `path`. Asks the system instead of checking mode bits, so that access control
 * lists and mounts are respected.
 */
export function canReach(path: string, identity: ServerIdentity, needs: 'enter' | 'execute'): boolean {
  const test = needs === 'enter' ? 'test -x "$1"' : 'test -r "$1" && test -x "$1"';
  const result = spawnSync('/bin/sh', ['-c', test, 'sh', path], { ...identity, cwd: '/', env: {} });
  return result.status === 0;
}

function lookUp(): ServerIdentity | undefined {
  const [uid, gid] = ['-u', '-g'].map((option) => spawnSync('id', [option, USER], { encoding: 'utf8' }));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

function run(program: string, args: readonly string[]): string {
  const result = spawnSync(program, args, { encoding: 'utf8' });
  return result.error?.message ?? result.stderr.trim();
}
