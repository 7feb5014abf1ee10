import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** Isolated files mostly wait. Short files that mostly compute therefore fill the end of the run. */
const PROJECTS = ['extended', 'system', 'browser', 'http', 'unit'];

/** Durations in seconds of the spec files that take 15 s or more, for a checkout without a previous run. */
const LONG_SPECS = new Map(
  Object.entries(JSON.parse(readFileSync(join(import.meta.dirname, 'long-specs.json'), 'utf8'))),
);
/** Default for a file that is neither in the last run nor in `long-specs.json`. */
const USUAL_SECONDS = 5;

/**
 * The order of spec files: project by project, the longest first within each, so that no long file runs alone at the
 * end.
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

  /**
   * Duration in milliseconds in the last run, which vitest stores in `node_modules/.vite`; otherwise the default of the
   * file.
   */
  durationOf({ project, moduleId }) {
    const path = relative(this.ctx.config.root, moduleId);
    const last = this.ctx.cache.getFileTestResults(`${project.name}:${path}`)?.duration;
    return last ?? (LONG_SPECS.get(path) ?? USUAL_SECONDS) * 1_000;
  }
}
