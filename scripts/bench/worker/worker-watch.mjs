import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { descendantsOf } from '../../lib/child-processes.mjs';

const PROBE = pathToFileURL(join(import.meta.dirname, 'loop-probe.mjs')).href;

/** Environment of a worker whose event loop can be watched. */
export const WATCHED = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${PROBE}`.trim() };

/** Peak and current resident memory of a process, MB (2^20 bytes). Linux only. */
export function residentMb(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]) / 1024;
  return { peak: of('VmHWM'), now: of('VmRSS'), ofFiles: of('RssFile') };
}

const SAMPLE_MS = 20;

/**
 * Samples the resident memory of a process and the additional memory of its descendants, such as the decoders and
 * encoders of a worker. They run the same program and libraries, so only their anonymous pages count. Linux only.
 * @returns a function that ends the sampling and returns the highest sum, MB (2^20 bytes)
 */
export function watchFamily(pid, sampleMs = SAMPLE_MS) {
  let highestMb = 0;
  const sample = () => {
    const [own, ...others] = familyOf(pid).map(residentOrNone);
    const sum = others.reduce((total, { now, ofFiles }) => total + now - ofFiles, own.now);
    highestMb = Math.max(highestMb, sum);
  };
  sample();
  const timer = setInterval(sample, sampleMs);
  return () => {
    clearInterval(timer);
    return highestMb;
  };
}

/** Ids of a process and its descendants. Linux only. */
export function familyOf(pid) {
  return [pid, ...descendantsOf(pid).map((each) => each.pid)];
}

/** 0 for a process that has ended in the meantime. */
function residentOrNone(pid) {
  try {
    return residentMb(pid);
  } catch {
    return { now: 0, ofFiles: 0 };
  }
}

/** Processor time of a process and its threads, in seconds. It does not depend on other load. Linux only. */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const TICKS_A_SECOND = 100;
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** Resets the peak resident memory (proc(5), clear_refs). */
export function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Delay of the worker's event loop since the last call: `{ p50Ms, p99Ms, maxMs }`. */
export function loopDelay(child) {
  return new Promise((resolve) => {
    const listen = (message) => {
      if (message.type !== 'bench:loop') return;
      child.off('message', listen);
      resolve(message);
    };
    child.on('message', listen);
    child.send({ type: 'bench:loop' });
  });
}
