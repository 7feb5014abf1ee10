import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

it('every long spec of scripts/lib/vitest/long-specs.json exists', () => {
  const text = readFileSync(join(ROOT, 'scripts/lib/vitest/long-specs.json'), 'utf8');
  const seconds = JSON.parse(text) as Record<string, number>;
  expect(Object.keys(seconds).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(Object.values(seconds).every((each) => each > 0)).toBe(true);
});
