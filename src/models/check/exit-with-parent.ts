import { Worker } from 'node:worker_threads';

const LOOK_MS = 500;

/**
 * A separate thread checks whether the parent process is still alive, because a model run blocks the main thread. The
 * parent's id is read before the thread starts, because the parent may be killed in the meantime.
 */
const WATCH = `
const first = require('node:worker_threads').workerData;
setInterval(() => { if (process.ppid !== first) process.kill(process.pid, 'SIGKILL'); }, ${LOOK_MS});
`;

/**
 * Exits this process soon after its parent was killed, because nothing else would end it. Call it at startup.
 */
export function exitWithParent(): void {
  const watch = new Worker(WATCH, {
    eval: true,
    name: 'parent-watch',
    stdin: false,
    workerData: process.ppid,
  });
  watch.unref();
}
