import { fork } from 'node:child_process';
import { deviceEnvironment } from '../../config/child-environment.js';
import { compiledModule } from '../../config/compiled-module.js';
import type { Placement } from '../engines/placement.js';

/** A driver that compiles its first shader in software takes seconds; a broken one never finishes. */
const LIMIT_MS = 60_000;

export type ProbedDevice = Pick<Placement, 'provider' | 'index'>;

/**
 * Tests an execution provider in a separate process.
 * @param environment additional variables of that process, for example the driver to use
 * @returns null when it works, otherwise its error or how the process exited
 */
export async function probeDevice(
  device: ProbedDevice,
  environment: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  const child = fork(compiledModule('inference/device/probe-process.js'), [], {
    env: deviceEnvironment(environment),
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => resolve(`it says nothing for ${LIMIT_MS / 1000} s`), LIMIT_MS);
      child.once('error', reject);
      child.once('message', ({ fault }: { fault: string | null }) => resolve(fault));
      child.once('exit', (code, signal) =>
        resolve(`it ended the process that tried it (${signal ?? `exit code ${code}`})`),
      );
      child.send({ ...device, threads: 1, isGuess: false } satisfies Placement);
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}
