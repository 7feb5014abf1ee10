import { readdirSync, readFileSync } from 'node:fs';
import { familyOf } from '../worker/worker-watch.mjs';

const SAMPLE_MS = 4;
/** Child processes rarely start or end, and finding them is slow. */
const FAMILY_MS = 500;

/**
 * Samples the CPU time of each thread of a process and of its descendants, to the nanosecond
 * (/proc/PID/task/TID/schedstat). Linux only.
 */
export class ThreadSampler {
  #before = new Map();
  #names = new Map();
  #family = [];
  #familyAtMs = -Infinity;
  #lastMs = now();
  #samples = [];
  #timer;

  constructor(pid) {
    this.pid = pid;
    this.#sample();
    this.#samples = [];
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  /** @returns for each interval and thread that ran in it: `{ atMs, ms, thread }`; `atMs` is its middle, Unix time */
  end() {
    clearInterval(this.#timer);
    this.#sample();
    return this.#samples;
  }

  #sample() {
    const isFirst = this.#familyAtMs === -Infinity;
    const endMs = now();
    if (endMs - this.#familyAtMs > FAMILY_MS) {
      this.#family = familyOf(this.pid);
      this.#familyAtMs = endMs;
    }
    const atMs = (this.#lastMs + endMs) / 2;
    for (const pid of this.#family) {
      for (const tid of listed(pid)) {
        const ns = runNs(pid, tid);
        const ms = (ns - (this.#before.get(tid) ?? (isFirst ? ns : 0))) / 1e6;
        this.#before.set(tid, ns);
        if (ms > 0) this.#samples.push({ atMs, ms, thread: this.#name(pid, tid) });
      }
    }
    this.#lastMs = endMs;
  }

  #name(pid, tid) {
    if (!this.#names.has(tid)) this.#names.set(tid, this.#described(pid, tid));
    return this.#names.get(tid);
  }

  #described(pid, tid) {
    if (pid !== this.pid) return read(`/proc/${pid}/comm`).trim().replace('image ', '') || 'decoder';
    const name = read(`/proc/${pid}/task/${tid}/comm`).trim();
    return Number(tid) === pid ? 'main' : name;
  }
}

const now = () => performance.timeOrigin + performance.now();

function listed(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function runNs(pid, tid) {
  return Number(read(`/proc/${pid}/task/${tid}/schedstat`).split(' ')[0]);
}

/** Empty if the process has ended. */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
