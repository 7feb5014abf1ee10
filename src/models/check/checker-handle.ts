import { type ChildProcess, spawn } from 'node:child_process';
import { deviceEnvironment } from '../../config/child-environment.js';
import { compiledModule } from '../../config/compiled-module.js';
import { memoryLimitedCommand } from '../../infra/processes/memory-limited-command.js';
import type { CheckerMessage, CheckerRequest } from './verdict.js';

/** Memory of Node itself before a model is loaded. */
const BASE_BYTES = 500_000_000;

/** The parent's side of the checking process. */
export class CheckerHandle {
  constructor(private readonly child: ChildProcess) {
    // The process may have exited already; its exit is handled elsewhere.
    child.on('error', () => undefined);
  }

  onMessage(listener: (message: CheckerMessage) => void): void {
    this.child.on('message', (message) => listener(message as CheckerMessage));
  }

  onError(listener: (error: Error) => void): void {
    this.child.on('error', (error) => {
      if (this.child.pid === undefined) listener(error);
    });
  }

  /** Calls `listener` with for example `code 1` or `SIGKILL`. */
  onExit(listener: (how: string) => void): void {
    this.child.on('exit', (code, signal) => listener(signal ?? `code ${code}`));
  }

  kill(): void {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
  }
}

/** Starts the checking process with its limits and sends it the request. */
export function startChecker(request: CheckerRequest): CheckerHandle {
  const [command, args] = memoryLimitedCommand(request.memoryLimitBytes + BASE_BYTES, [
    process.execPath,
    compiledModule('models/check/checker-process.js'),
  ]);
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: deviceEnvironment(),
    serialization: 'advanced',
  });
  const handle = new CheckerHandle(child);
  child.send(request, () => undefined);
  return handle;
}
