import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { bareEnvironment } from '../../config/child-environment.js';

/** What programs of the system need: their libraries, and where the loader finds those. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/nix/store',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/ld-musl-x86_64.path',
  '/etc/ld-musl-aarch64.path',
];

export interface SandboxedProgram {
  /** Files and folders that it reads beside those of the system, absolute. */
  readonly readable: readonly string[];
  /** The folder it works in. Default: none, it writes nothing. */
  readonly workDir?: string | undefined;
  /** Folders that it must not see even where they lie in one that it reads. */
  readonly hiddenDirs: readonly string[];
}

/** Whether Bubblewrap is installed (Debian package `bubblewrap`). */
export function hasBubblewrap(): boolean {
  return (bareEnvironment()['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, 'bwrap'), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * The command line before a program that gives it a file system of its own: the system's libraries and its own code,
 * read-only, and the folder it works in. No network, no other process, no capability but those kept.
 * @param keptCapabilities for example `['CAP_SETUID']`; only root has any
 */
export function bubblewrap(
  program: SandboxedProgram,
  keptCapabilities: readonly string[],
): readonly string[] {
  const { readable, workDir, hiddenDirs } = program;
  const bound = [...SYSTEM, ...readable];
  const work = workDir === undefined ? ['--chdir', '/'] : ['--bind', workDir, workDir, '--chdir', workDir];
  const hidden = hiddenDirs.map(realPath).filter((dir) => isBelow(dir, bound));
  return [
    'bwrap',
    '--unshare-ipc',
    '--unshare-pid',
    '--unshare-net',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    ...keptCapabilities.flatMap((name) => ['--cap-add', name]),
    ...SYSTEM.flatMap((path) => ['--ro-bind-try', path, path]),
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    ...hidden.flatMap((dir) => ['--tmpfs', dir]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...work,
    '--',
  ];
}

const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(folder + sep));

/** The path itself where there is nothing yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
