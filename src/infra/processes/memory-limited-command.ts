import { reservedCodeBytes } from './code-range.js';

/**
 * The first that the kernel ends when memory runs out, no dump of what it held, and not more memory than it
 * was given.
 */
const SCRIPT = `{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
ulimit -c 0
ulimit -d "$0" || exit 3
exec "$@"`;

/**
 * The command and arguments that start a Node.js program which may fail of what it is given, with so many bytes of
 * memory. A limit on the data segment counts private memory as it is mapped, so that an allocation of 100 GB
 * fails in the program's own process instead of being granted and killing another. Linux alone counts that
 * way; elsewhere whoever starts it must bound its time.
 */
export function memoryLimitedCommand(bytes: number, command: readonly string[]): readonly [string, string[]] {
  if (process.platform !== 'linux') return [command[0]!, command.slice(1)];
  const dataKib = Math.ceil((bytes + reservedCodeBytes()) / 1024);
  return ['/bin/sh', ['-c', SCRIPT, String(dataKib), ...command]];
}
