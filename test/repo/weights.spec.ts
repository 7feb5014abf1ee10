import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Every clone downloads them, and every replaced version stays in the history. */
const BUDGET_BYTES = 40_000_000;

it('the committed models fit their budget', () => {
  const files = execFileSync('git', ['ls-files', '-z', 'models'], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '');
  const sizes = files.map((path) => statSync(join(ROOT, path)).size);
  expect(files.length).toBeGreaterThan(10);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BUDGET_BYTES);
});
