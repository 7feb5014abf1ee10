import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { bareEnvironment } from '../../config/child-environment.js';

/** Paths that system programs need: their libraries and the loader's configuration. */
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
  /** Absolute paths of files and folders that the program reads besides those of the system. */
  readonly readable: readonly string[];
  /** The program's working folder. Default: none; the program then writes nothing. */
  readonly workDir?: string | undefined;
  /** Folders that the program must not see, even inside a folder that it reads. */
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
 * The command line prefix that gives a program a restricted file system: the system's libraries and its own code,
 * read-only, and its working folder. The program has no network, sees no other processes, and keeps only the listed
 * capabilities. Further options and `--` follow.
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
  ];
}

const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(folder + sep));

/** The path itself if nothing exists there yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
