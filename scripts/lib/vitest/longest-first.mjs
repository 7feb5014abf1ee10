import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** Isolated files wait much and compute little, so what is short and computes fills the end of the run. */
const PROJECTS = ['system', 'http', 'unit'];

/** Seconds of the spec files that take 15 s or more, for a checkout in which nothing has run. */
const LONG_SPECS = new Map(
  Object.entries(JSON.parse(readFileSync(join(import.meta.dirname, 'long-specs.json'), 'utf8'))),
);
/** Of a file that neither the last run nor `long-specs.json` knows. */
const USUAL_SECONDS = 5;

/**
 * The order of spec files: project by project, in each the longest first, so that no long file is left alone at the
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

  /** Milliseconds of the last run that vitest remembers, in `node_modules/.vite`; else the usual time of the file. */
  durationOf({ project, moduleId }) {
    const path = relative(this.ctx.config.root, moduleId);
    const last = this.ctx.cache.getFileTestResults(`${project.name}:${path}`)?.duration;
    return last ?? (LONG_SPECS.get(path) ?? USUAL_SECONDS) * 1_000;
  }
}
