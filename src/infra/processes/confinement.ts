import { bubblewrap, hasBubblewrap } from './bubblewrap.js';
import { reservedCodeBytes } from './code-range.js';
import { mayDropRoot } from './drop-privileges.js';
import { hasSystemCallFilter } from './system-call-filter.js';

/**
 * How far a process that handles untrusted bytes is isolated from the machine, strongest first. Each level includes the
 * following ones.
 * - `seccomp`: may use only the system calls that the program needs (x86-64 and arm64).
 * - `sandbox`: sees only the files that the program needs, read-only (Bubblewrap, if installed).
 * - `namespaces`: no network, no other processes, and empty folders instead of the data and scratch folders.
 * - `network`: no network, and no other process to signal or trace.
 * - `privileges`: `no_new_privs`, no capabilities, killed with its parent.
 * - `limits`: limits on memory, file size, and core dumps; killed first when memory runs out.
 * - `none`: no isolation, on systems other than Linux.
 */
export type Confinement = 'seccomp' | 'sandbox' | 'namespaces' | 'network' | 'privileges' | 'limits' | 'none';

/** Where Bubblewrap reads the system call filter of `seccomp`. */
export const FILTER_FD = 3;

export interface ConfinedProgram {
  /** Command and arguments. */
  readonly command: readonly string[];
  /** Private memory that the program may map, bytes, not counting what Node.js reserves for compiled code. */
  readonly dataBytes: number;
  /** Maximum size of a file that the program may write, bytes. 0: it may write none. */
  readonly fileBytes: number;
  /**
   * The program's working folder: the only visible folder below the hidden folders. Default: none.
   */
  readonly workDir?: string | undefined;
  /** Absolute paths of the files and folders of the program's code. */
  readonly readable: readonly string[];
  /** Absolute paths of two folders that the program must not see. */
  readonly hiddenDirs: readonly [string, string];
}

/** The confinements to try on this system, strongest first. */
export function confinements(): readonly Confinement[] {
  if (process.platform !== 'linux') return ['none'];
  const others = ['namespaces', 'network', 'privileges', 'limits'] as const;
  if (!hasBubblewrap()) return others;
  return hasSystemCallFilter(process.arch) ? ['seccomp', 'sandbox', ...others] : ['sandbox', ...others];
}

/**
 * The warning that a weaker confinement is used.
 * @param work for example "images are decoded"
 * @param tried the stronger ones, each with the reason why it does not work
 */
export function weakerConfinement(work: string, confinement: Confinement, tried: readonly string[]): string {
  return `${work} under the confinement "${confinement}", since stronger ones are not allowed here (${tried.join('; ')}); see docs/decoding.md`;
}

/** No core dumps, which would contain untrusted data. The data limit counts private memory as it is mapped. */
const LIMITS = `{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
ulimit -c 0
ulimit -d "$1" || exit 3
ulimit -f "$2" || exit 3
shift 2
`;

/**
 * A process namespace needs its own /proc. If the mount is refused, an empty folder also hides the other processes.
 */
const OWN_PROCESSES = `mount -t proc proc /proc 2>/dev/null || mount -t tmpfs -o size=4k none /proc || exit 3
`;

/**
 * Binds the working folder into the empty folder that covers its parent; otherwise, ".." would lead out of it.
 */
const HIDE = `mount -t tmpfs -o size=64k,mode=0755 none "$1" || exit 3
if [ -d "$2" ]; then mount -t tmpfs -o size=64k,mode=0755 none "$2" || exit 3; fi
mkdir "$1/work" || exit 3
if [ "$3" = work ]; then mount -c --bind . "$1/work" || exit 3; fi
cd "$1/work" || exit 3
shift 3
`;

/** The shell stays as the first process of the namespace, because the kernel kills all others when it exits. */
const RUN = `setpriv --bounding-set "$0" --inh-caps -all "$@"
exit $?`;

/** A root process drops its privileges itself, so it keeps the two capabilities for that; see `dropPrivileges`. */
const keptCapabilities = (): string => (mayDropRoot() ? '-all,+setuid,+setgid' : '-all');

/**
 * The command and arguments that start a program under a confinement. An unsupported confinement fails before the
 * program starts.
 */
export function confined(confinement: Confinement, program: ConfinedProgram): readonly [string, string[]] {
  const [first, ...rest] = commandLine(confinement, program);
  return [first!, rest];
}

function commandLine(confinement: Confinement, program: ConfinedProgram): readonly string[] {
  const { command, hiddenDirs, workDir } = program;
  const limits = limitArguments(program);
  const plain = ['/bin/sh', '-c', `${LIMITS}exec "$@"`, 'sh', ...limits, ...command];
  if (confinement === 'none') return command;
  if (confinement === 'limits') return plain;
  if (confinement === 'privileges')
    return [
      ...SET_PRIVILEGES,
      ...(mayDropRoot() ? ['--bounding-set', keptCapabilities(), '--inh-caps', '-all'] : []),
      ...plain,
    ];
  if (confinement === 'seccomp' || confinement === 'sandbox') {
    const filter = confinement === 'seccomp' ? ['--seccomp', String(FILTER_FD)] : [];
    const limited = ['/bin/sh', '-c', `${LIMITS}exec "$@"`, 'sh', ...limits];
    const kept = mayDropRoot() ? ['CAP_SETUID', 'CAP_SETGID'] : [];
    return [...NO_PRIVILEGES, ...limited, ...bubblewrap(program, kept), ...filter, '--', ...command];
  }
  if (confinement === 'network')
    return [...namespaces(), ...shellArguments(`${LIMITS}${OWN_PROCESSES}${RUN}`), ...limits, ...command];
  const folders = [...hiddenDirs, workDir === undefined ? 'none' : 'work'];
  const script = `${LIMITS}${OWN_PROCESSES}${HIDE}${RUN}`;
  return [...namespaces(), ...shellArguments(script), ...limits, ...folders, ...command];
}

/**
 * Bubblewrap dies with its parent by itself, once it is set up. If it were killed earlier, its inner process would wait
 * for it forever. The program ends when its standard input is closed, so none outlives a parent that was killed earlier.
 */
const NO_PRIVILEGES = ['setpriv', '--no-new-privs'] as const;

const SET_PRIVILEGES = ['setpriv', '--pdeathsig', 'SIGKILL', '--no-new-privs'] as const;

/**
 * Root creates namespaces directly; other users first become root of a user namespace during the setup.
 */
function namespaces(): readonly string[] {
  const user = mayDropRoot() ? [] : ['--user', '--map-root-user'];
  const unshare = ['unshare', ...user, '--net', '--ipc', '--mount', '--pid', '--fork', '--kill-child'];
  return [...SET_PRIVILEGES, ...unshare];
}

function shellArguments(script: string): readonly string[] {
  return ['/bin/sh', '-c', script, keptCapabilities()];
}

/** Arguments of `ulimit`: data in KiB, and file size in blocks of 512 bytes. */
function limitArguments({ dataBytes, fileBytes }: ConfinedProgram): readonly string[] {
  const dataKib = Math.ceil((dataBytes + reservedCodeBytes()) / 1024);
  return [String(dataKib), String(Math.ceil(fileBytes / 512))];
}
