import { relative } from 'node:path';

const SLOWEST = 10;

/** Reports where the time of a run went: each project's, and the slowest files. */
export class SpecTimes {
  /** When a worker took each file up, by the file's id. */
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
    });
  }

  onTestRunEnd() {
    if (this.files.length <= SLOWEST) return;
    const slowest = this.files.toSorted((a, b) => durationMs(b) - durationMs(a)).slice(0, SLOWEST);
    const lines = [
      ...projectLines(this.files),
      `The ${SLOWEST} slowest files:`,
      ...slowest.map((file) => `${seconds(durationMs(file)).padStart(9)}  ${file.name}`),
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }
}

// eslint-disable-next-line import/no-default-export -- vitest loads reporters by their default export
export default SpecTimes;

function projectLines(files) {
  return [...new Set(files.map(({ project }) => project))].map((project) => {
    const own = files.filter((file) => file.project === project);
    const wallMs =
      Math.max(...own.map(({ endMs }) => endMs)) - Math.min(...own.map(({ startMs }) => startMs));
    const sumMs = own.reduce((sum, file) => sum + durationMs(file), 0);
    return `${project || 'specs'}: ${own.length} files in ${seconds(wallMs)}, ${seconds(sumMs)} of work`;
  });
}

function durationMs({ startMs, endMs }) {
  return endMs - startMs;
}

function seconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`;
}
