import { existsSync, readFileSync } from 'node:fs';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { availableParallelism, cpus, freemem, totalmem } from 'node:os';
import { dirname } from 'node:path';
import type { Config } from '../../config/env.js';
import { isSupportedNode, SUPPORTED_NODE } from '../supported-node.mjs';
import { type Finding, missing, note, ok, reasonOf } from './finding.js';

/** Maximum memory of a worker on the CPU: docs/memory.md. */
const ROOMY_MEMORY_BYTES = 2_000_000_000;
const ROOMY_DISK_BYTES = 5_000_000_000;
const SCARCE_DISK_BYTES = 500_000_000;
const ROOMY_FILES = 4_096;

/** Checks Node.js, processors, memory, disk, and limits. */
export async function examineMachine(config: Config): Promise<readonly Finding[]> {
  return [node(), processors(), memory(), ...openFiles(), ...(await dataFolder(config.dataDir))];
}

function node(): Finding {
  const text = `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`;
  if (isSupportedNode(process.versions.node)) return ok('Node.js', text);
  return missing('Node.js', text, `Install ${SUPPORTED_NODE} from https://nodejs.org.`);
}

function processors(): Finding {
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  const text = `${availableParallelism()} for this process (${model})`;
  if (availableParallelism() >= 2) return ok('processors', text);
  return note('processors', text, 'One works; with two, decoding and inference do not wait for each other.');
}

function memory(): Finding {
  const limit = process.constrainedMemory();
  const total = limit !== undefined && limit > 0 && limit < totalmem() ? limit : totalmem();
  const text = `${gigabytes(total)} in all, ${gigabytes(freemem())} free`;
  if (total >= ROOMY_MEMORY_BYTES) return ok('memory', text);
  return note(
    'memory',
    text,
    `A worker may take up to ${gigabytes(ROOMY_MEMORY_BYTES)} on the largest images; lower CODEC_MEMORY_BYTES and WORKER_MEMORY_BYTES.`,
  );
}

/** Read on Linux only. Every connection, file, and queue entry needs a file descriptor. */
function openFiles(): readonly Finding[] {
  try {
    const line = readFileSync('/proc/self/limits', 'utf8')
      .split('\n')
      .find((one) => one.startsWith('Max open files'));
    const soft = line?.split(/\s{2,}/)[1];
    if (soft === undefined) return [];
    if (soft === 'unlimited' || Number(soft) >= ROOMY_FILES) return [ok('open files', `${soft} a process`)];
    const advice = `For many clients at once raise it: ulimit -n 65536 (systemd: LimitNOFILE=65536).`;
    return [note('open files', `${soft} a process`, advice)];
  } catch {
    return [];
  }
}

async function dataFolder(dataDir: string): Promise<readonly Finding[]> {
  const folder = existing(dataDir);
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const advice = `Make it writable for this user, or set DATA_DIR to a folder that is.`;
    return [missing('data folder', `${dataDir} cannot be written (${reasonOf(error)})`, advice)];
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const text = `${dataDir} can be written, ${gigabytes(free)} free on its disk`;
  if (free >= ROOMY_DISK_BYTES) return [ok('data folder', text)];
  const advice = `Images, results and the pixels of running jobs need space. Free some, or set DATA_DIR to a folder on a larger disk than that of ${dirname(dataDir)}.`;
  return [
    free < SCARCE_DISK_BYTES ? missing('data folder', text, advice) : note('data folder', text, advice),
  ];
}

/** The folder, or its closest existing parent. */
function existing(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path));
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
