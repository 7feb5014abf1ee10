import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Confinement, type ConfinedProgram, confined, FILTER_FD } from './confinement.js';
import { systemCallFilter } from './system-call-filter.js';

export type ConfinedProcess = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Starts a program under a confinement, with pipes to its standard input and output. An unsupported confinement ends
 * the process before the program starts.
 * @throws Error with code `EMFILE` when this process has no file descriptors left for the pipes
 */
export function spawnConfined(
  confinement: Confinement,
  program: ConfinedProgram,
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string },
): ConfinedProcess {
  const [command, args] = confined(confinement, program);
  if (confinement !== 'seccomp') {
    const unfiltered = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
    assertPipes(unfiltered);
    return unfiltered;
  }
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'ignore', 'pipe'] });
  assertPipes(child);
  const filter = child.stdio[FILTER_FD] as Writable;
  // A process that exits before it has read the filter is reported by its exit.
  filter.on('error', () => undefined);
  filter.end(systemCallFilter(process.arch));
  return child as unknown as ConfinedProcess;
}

/** Without file descriptors, Node.js returns a process without pipes, and reports the error with the next tick. */
function assertPipes(child: ChildProcess): void {
  if (child.stdout) return;
  child.on('error', () => undefined);
  throw Object.assign(new Error('too many open files to start a process'), { code: 'EMFILE' });
}
