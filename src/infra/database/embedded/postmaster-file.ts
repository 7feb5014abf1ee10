import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The content of `postmaster.pid` in the data folder of a running server. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number | undefined;
  /** Whether the server accepts connections (line 8, which pg_ctl also reads). */
  readonly ready: boolean;
}

/**
 * Reads `postmaster.pid`; `undefined` when missing. The file may belong to a dead server.
 */
export function readPostmasterFile(clusterDir: string): PostmasterFile | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid === 0) return undefined;
  const port = Number(lines[3]);
  return { pid: Math.abs(pid), port: port > 0 ? port : undefined, ready: lines[7]?.trim() === 'ready' };
}
