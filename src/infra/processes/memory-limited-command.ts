import { reservedCodeBytes } from './code-range.js';

/** Makes the kernel kill the program first when memory runs out, disables core dumps, and limits memory. */
const SCRIPT = `{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
ulimit -c 0
ulimit -d "$0" || exit 3
exec "$@"`;

/**
 * The command and arguments that start a Node.js program with a memory limit, because its input may make it fail. A
 * limit on the data segment counts private memory as it is mapped, so an allocation of 100 GB fails in the program's
 * own process instead of succeeding and killing another. Only Linux counts that way; on other systems the caller must
 * limit its time.
 */
export function memoryLimitedCommand(bytes: number, command: readonly string[]): readonly [string, string[]] {
  if (process.platform !== 'linux') return [command[0]!, command.slice(1)];
  const dataKib = Math.ceil((bytes + reservedCodeBytes()) / 1024);
  return ['/bin/sh', ['-c', SCRIPT, String(dataKib), ...command]];
}
