import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PROBE = pathToFileURL(join(import.meta.dirname, 'loop-probe.mjs')).href;

/** What a worker must be started with so that its event loop can be watched. */
export const WATCHED = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${PROBE}`.trim() };

/** Highest and present resident memory of a process, MB (2^20 bytes). Linux only. */
export function residentMb(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]) / 1024;
  return { peak: of('VmHWM'), now: of('VmRSS'), ofFiles: of('RssFile') };
}

/** Processor time a process and its threads have used, seconds: the same however busy the machine is. Linux only. */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const TICKS_A_SECOND = 100;
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** Lets the highest resident memory begin anew (proc(5), clear_refs). */
export function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** How long the worker's event loop was kept since the last call: `{ p50Ms, p99Ms, maxMs }`. */
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
