import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** Isolated files wait much and compute little, so what is short and computes fills the end of the run. */
const PROJECTS = ['system', 'http', 'unit'];

/**
 * The order of spec files: project by project, in each the longest of the last run first, so that no long file is
 * left alone at the end. Files without a last run come before the others.
 */
export class LongestFirst extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const keyed = files.map((file) => ({
      file,
      project: PROJECTS.indexOf(file.project.name),
      durationMs: this.durationOf(file),
    }));
    return keyed
      .toSorted((a, b) => a.project - b.project || b.durationMs - a.durationMs)
      .map(({ file }) => file);
  }

  /** Milliseconds of the last run that vitest remembers, in `node_modules/.vite`. */
  durationOf({ project, moduleId }) {
    const key = `${project.name}:${relative(this.ctx.config.root, moduleId)}`;
    return this.ctx.cache.getFileTestResults(key)?.duration ?? Number.MAX_SAFE_INTEGER;
  }
}
