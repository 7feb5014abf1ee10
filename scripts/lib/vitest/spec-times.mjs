import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { cpuTimeMs } from './cpu-time.mjs';

const MOST = 10;

/** Environment variable: with `1`, the CPU time of every file is reported, regardless of their number. */
export const REPORT_ALL_FILES = 'IES_REPORT_ALL_FILES';

/** Reports how a run spent its time: each project, the slowest files, and the files with the most CPU time. */
export class SpecTimes {
  /** When a worker started each file, by the file's id. */
  begun = new Map();
  files = [];

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleQueued(module) {
    this.begun.set(module.id, performance.now());
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    const endMs = performance.now();
    this.files.push({
      project: module.project.name,
      name: relative(module.project.config.root, module.moduleId),
      startMs: this.begun.get(module.id) ?? endMs,
      endMs,
      // From `measure-cpu.mjs`, without the cost that the files of a run share.
      cpuMs: module.meta().cpuMs ?? 0,
      keptCpuMs: module.meta().keptCpuMs ?? 0,
    });
  }

  onTestRunEnd() {
    const isAll = process.env[REPORT_ALL_FILES] === '1';
    const isLong = this.files.length > MOST;
    if (this.files.length === 0 || !(isAll || isLong)) return;
    const lines = [
      ...projectLines(this.files),
      totalLine(this.files),
      ...(isLong ? [`The ${MOST} slowest files:`, ...most(MOST, this.files, durationMs)] : []),
      isAll ? 'CPU time of every file:' : `The ${MOST} files that cost most CPU:`,
      ...most(isAll ? this.files.length : MOST, this.files, ({ cpuMs }) => cpuMs),
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}

// eslint-disable-next-line import/no-default-export -- vitest loads reporters by their default export
export default SpecTimes;

function projectLines(files) {
  return [...new Set(files.map(({ project }) => project))].map((project) => {
    const own = files.filter((file) => file.project === project);
    const wallMs = spanMs(own);
    const [workMs, cpuMs] = [durationMs, (file) => file.cpuMs].map((ms) =>
      own.reduce((sum, file) => sum + ms(file), 0),
    );
    return `${project || 'specs'}: ${own.length} files in ${seconds(wallMs)}, ${seconds(workMs)} of work, ${seconds(cpuMs)} of CPU`;
  });
}

/** The CPU time of all specs, and the utilization of all cores. */
function totalLine(files) {
  const keptMs = files.reduce((sum, file) => sum + file.keptCpuMs, 0);
  const [cpuMs, wallMs] = [(cpuTimeMs(process.pid) ?? 0) + keptMs, spanMs(files)];
  const share = Math.round((100 * cpuMs) / (wallMs * availableParallelism()));
  return `Total CPU time, including shared processes: ${seconds(cpuMs)}, ${share}% of all cores.`;
}

function spanMs(files) {
  return Math.max(...files.map(({ endMs }) => endMs)) - Math.min(...files.map(({ startMs }) => startMs));
}

function most(count, files, ms) {
  return files
    .toSorted((a, b) => ms(b) - ms(a))
    .slice(0, count)
    .map((file) => `${seconds(ms(file)).padStart(9)}  ${file.name}`);
}

function durationMs({ startMs, endMs }) {
  return endMs - startMs;
}

function seconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`;
}
