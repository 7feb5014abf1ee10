import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The outcome of each step, written to disk after each one. */
export class Results {
  /** @param {string} build what is being measured: results of other builds are kept, but count as not measured */
  constructor(path, out, build) {
    this.path = path;
    this.out = out;
    this.build = build;
    this.steps = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
  }

  hasSucceeded(name) {
    return this.steps.some((step) => step.name === name && step.ok && step.build === this.build);
  }

  /** Copies the results of earlier runs, too: a run in which nothing is left to do puts none. */
  copyOut() {
    if (this.out === undefined || !existsSync(this.path)) return;
    mkdirSync(this.out, { recursive: true });
    copyFileSync(this.path, join(this.out, 'results.json'));
  }

  put(step) {
    this.steps = [...this.steps.filter(({ name }) => name !== step.name), { ...step, build: this.build }];
    writeFileSync(`${this.path}.next`, `${JSON.stringify(this.steps, null, 2)}\n`);
    renameSync(`${this.path}.next`, this.path);
    this.copyOut();
  }
}
