import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const PERIOD_MS = 20;

/**
 * Measures how busy the machine is: runnable threads per core. With two per core, all computation takes twice as long.
 * Samples are taken in a separate thread, so that work of this program does not delay them.
 */
export class LoadMeter {
  #thread = new Worker(new URL(import.meta.url));

  /** The mean since the last call. 0 on systems that do not report it. */
  take() {
    return new Promise((resolve) => {
      this.#thread.once('message', resolve);
      this.#thread.postMessage('take', []);
    });
  }

  close() {
    return this.#thread.terminate();
  }
}

function sample() {
  let sum = 0;
  let samples = 0;
  setInterval(() => {
    sum += runnableThreads();
    samples += 1;
  }, PERIOD_MS);
  parentPort.on('message', () => {
    const mean = samples === 0 ? 0 : sum / samples;
    parentPort.postMessage(Number((mean / availableParallelism()).toFixed(2)), []);
    sum = 0;
    samples = 0;
  });
}

/** The number of threads on the machine that run or wait for a core, without this one. */
function runnableThreads() {
  try {
    return Number(/^procs_running (\d+)/m.exec(readFileSync('/proc/stat', 'latin1'))[1]) - 1;
  } catch {
    return 0;
  }
}

if (!isMainThread) sample();
