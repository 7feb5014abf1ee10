import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const PERIOD_MS = 20;

/**
 * Tells how busy the machine is: how many threads want to run, for each core. With two of them everything that
 * computes takes twice as long. Samples are taken in a thread of its own, so that work of this program delays none.
 */
export class LoadMeter {
  #thread = new Worker(new URL(import.meta.url));

  /** The mean since the last call. 0 where the system does not tell. */
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

/** Threads of the whole machine that run or wait for a core, except this one. */
function runnableThreads() {
  try {
    return Number(/^procs_running (\d+)/m.exec(readFileSync('/proc/stat', 'latin1'))[1]) - 1;
  } catch {
    return 0;
  }
}

if (!isMainThread) sample();
