import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { ServerIdentity } from './server-identity.js';

/**
 * A shell that waits for this process to exit: its standard input then closes, and it shuts the server down. So a
 * killed supervisor leaves no server behind. Stop it after the server has exited, because the process id may be reused.
 */
export function watchOver(serverPid: number, identity: ServerIdentity | undefined): ChildProcess {
  const watchdog = spawn(
    '/bin/sh',
    ['-c', 'read -r _; kill -INT "$1"', 'postgres-watchdog', String(serverPid)],
    {
      ...identity,
      cwd: '/',
      env: {},
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  // Without a shell the server still works; the next start then stops leftovers.
  watchdog.on('error', () => undefined);
  watchdog.unref();
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  return watchdog;
}
