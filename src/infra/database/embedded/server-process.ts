import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Placement } from './placement.js';
import { binaryPath } from './postgres-binaries.js';
import { readPostmasterFile } from './postmaster-file.js';
import { type Durability, serverSettings } from './server-settings.js';
import { waitUntil } from './wait-until.js';

const LOG_ROTATION_BYTES = 5_000_000;
const TAIL_BYTES = 4_096;
/** Startup timeout. Generous, because crash recovery replays the log since the last checkpoint. */
const START_MS = 120_000;

/** One run of the server. */
export class ServerProcess {
  private ended = false;

  private constructor(
    private readonly child: ChildProcess,
    readonly pid: number,
  ) {
    child.once('exit', () => {
      this.ended = true;
    });
  }

  /**
   * Starts the server and waits until it accepts connections.
   * @param logPath the server's log: a file instead of a pipe, so that the server can outlive this process
   * @throws Error with the end of the log when the server exits before it accepts connections
   */
  static async start(
    placement: Placement,
    options: Durability & { readonly port: number; readonly logPath: string },
  ): Promise<ServerProcess> {
    const log = openLog(options.logPath);
    const offset = fstatSync(log).size;
    try {
      const args = ['-D', placement.clusterDir, ...serverSettings(options.port, options)];
      // A separate session: the terminal's Ctrl-C must reach only the supervisor.
      const child = spawn(binaryPath(placement.binaries, 'postgres'), args, {
        ...placement.identity,
        cwd: '/',
        env: {},
        detached: true,
        stdio: ['ignore', log, log],
      });
      const failure = new Promise<never>((_, reject) => child.once('error', reject));
      if (child.pid === undefined) return await failure;
      const server = new ServerProcess(child, child.pid);
      const isUp = () => readPostmasterFile(placement.clusterDir)?.pid === child.pid && isReady(placement);
      await Promise.race([failure, waitUntil(() => server.ended || isUp(), START_MS)]);
      if (!server.ended && isUp()) return server;
      await server.stop('SIGQUIT', 0);
      throw new Error(readTail(options.logPath, offset));
    } finally {
      closeSync(log);
    }
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  /** Calls `callback` when the process has exited, for any reason. */
  onExit(callback: () => void): void {
    if (this.ended) callback();
    else this.child.once('exit', () => callback());
  }

  /** Sends `signal`, and a stronger one if the process has not exited within `graceMs`. */
  async stop(signal: NodeJS.Signals, graceMs: number): Promise<void> {
    for (const name of [signal, 'SIGQUIT', 'SIGKILL'] as const) {
      if (this.ended) return;
      this.child.kill(name);
      await waitUntil(() => this.ended, name === signal ? graceMs : 5_000);
    }
  }
}

function isReady(placement: Placement): boolean {
  return readPostmasterFile(placement.clusterDir)?.ready === true;
}

function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_ROTATION_BYTES) renameSync(path, `${path}.1`);
  return openSync(path, 'a', 0o600);
}

function readTail(path: string, offset: number): string {
  const file = openSync(path, 'r');
  try {
    const size = fstatSync(file).size;
    const from = Math.max(offset, size - TAIL_BYTES);
    const buffer = Buffer.alloc(size - from);
    readSync(file, buffer, 0, buffer.length, from);
    return buffer.toString('utf8').trim().split('\n').slice(-4).join(' | ');
  } finally {
    closeSync(file);
  }
}
