import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The outcome of each step, on disk after every one of them. */
export class Results {
  constructor(path, out) {
    this.path = path;
    this.out = out;
    this.steps = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
  }

  of(name) {
    return this.steps.find((step) => step.name === name);
  }

  put(step) {
    this.steps = [...this.steps.filter(({ name }) => name !== step.name), step];
    writeFileSync(`${this.path}.next`, `${JSON.stringify(this.steps, null, 2)}\n`);
    renameSync(`${this.path}.next`, this.path);
    if (this.out === undefined) return;
    mkdirSync(this.out, { recursive: true });
    copyFileSync(this.path, join(this.out, 'results.json'));
  }
}
