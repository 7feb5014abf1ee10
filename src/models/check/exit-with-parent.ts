import { Worker } from 'node:worker_threads';

const LOOK_MS = 500;

/**
 * Whether this process still has the parent it began with is asked on a thread of its own, since a run of a model
 * blocks the main one for as long as it takes. Which one that was is read before: the thread takes a while to start,
 * and the parent may be killed meanwhile.
 */
const WATCH = `
const first = require('node:worker_threads').workerData;
setInterval(() => { if (process.ppid !== first) process.kill(process.pid, 'SIGKILL'); }, ${LOOK_MS});
`;

/**
 * Ends this process soon after its parent was killed: nobody would wait for its verdict, and nobody else would end it.
 * To be called at its start.
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
