import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tells the program that runs in the namespace the folder with the small disks. */
const VARIABLE = 'CHAOS_DISKS_DIR';
const MB = 2 ** 20;

/** Size of each small disk in bytes. */
export const DISK_BYTES = { data: 384 * MB, scratch: 96 * MB };

/** Keeps the user id, and the capability to mount until `setpriv` drops it. */
const NAMESPACE = ['--user', '--map-current-user', '--keep-caps', '--mount'];
const DROP = ['setpriv', '--inh-caps=-all', '--ambient-caps=-all', '--'];

/** `$0` is the folder, `$1` and `$2` are the sizes, and the rest is the program. */
const MOUNT = `mount -t tmpfs -o size="$1",mode=0755 tmpfs "$0/data" || exit 71
mount -t tmpfs -o size="$2",mode=0755 tmpfs "$0/scratch" || exit 71
shift 2
exec "$@"`;

/** Folders that are already small disks; `undefined` if none were prepared. */
export function ownDisks() {
  const dir = process.env[VARIABLE];
  return dir === undefined ? undefined : { data: join(dir, 'data'), scratch: join(dir, 'scratch') };
}

/**
 * Runs this program again in a mount namespace with small disks, which needs no privileges. The disks disappear with
 * the program.
 * @returns {Promise<number> | undefined} the exit code; `undefined` when this process should continue itself: it
 *   already runs in such a namespace, it is root and can mount, or the kernel does not allow namespaces
 */
export function runAmongOwnDisks() {
  if (ownDisks() !== undefined || process.getuid?.() === 0) return undefined;
  const dir = mkdtempSync(join(tmpdir(), 'ies-chaos-disks-'));
  for (const name of Object.keys(DISK_BYTES)) mkdirSync(join(dir, name), { mode: 0o755 });
  const remove = () => rmSync(dir, { recursive: true, force: true });
  const trial = spawnSync('unshare', namespaceOf(dir, ['true']), { stdio: 'ignore' });
  if (trial.status !== 0) {
    remove();
    return undefined;
  }
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn('unshare', namespaceOf(dir, again), {
    stdio: 'inherit',
    env: { ...process.env, [VARIABLE]: dir },
  });
  return exitCodeOf(child).finally(remove);
}

function namespaceOf(dir, command) {
  const sizes = [DISK_BYTES.data, DISK_BYTES.scratch].map(String);
  return [...NAMESPACE, '/bin/sh', '-c', MOUNT, dir, ...sizes, ...DROP, ...command];
}

/** Forwards signals. A terminal sends Ctrl-C to both processes. */
function exitCodeOf(child) {
  const terminate = () => child.kill('SIGTERM');
  const ignore = () => undefined;
  process.on('SIGTERM', terminate);
  process.on('SIGINT', ignore);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  }).finally(() => {
    process.off('SIGTERM', terminate);
    process.off('SIGINT', ignore);
  });
}
