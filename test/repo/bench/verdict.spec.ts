import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BENCHES } from '../../../scripts/bench/command-line.mjs';
import { atLeast, atMost, judge, measured, missesTarget, remark } from '../../../scripts/bench/verdict.mjs';
import { ROOT } from '../../../scripts/lib/paths.mjs';

describe('the targets of benchmarks', () => {
  it('are missed when any judged number misses its own', () => {
    const met = measured('creation', 1.2, '×', atMost(1.5));
    const shown = measured('read', 3, '×');
    expect(missesTarget([met, shown])).toBe(false);
    expect(missesTarget([met, measured('creation', 1.6, '×', atMost(1.5))])).toBe(true);
    expect(missesTarget({ rows: [met], loop: { p99: judge(4, atLeast(5)) } })).toBe(true);
    for (const nothing of [undefined, null, []]) expect(missesTarget(nothing)).toBe(false);
  });

  it('are shown next to the number', () => {
    expect(remark(measured('', 1, 'ms', atMost(2)))).toBe(' (at most 2: yes)');
    expect(remark(measured('', 3, 'ms', atMost(2)))).toBe(' (at most 2: NO)');
    expect(remark(measured('', 3, 'ms'))).toBe('');
  });

  it.each(Object.keys(BENCHES))('of %s decide on the exit code', (name) => {
    const source = readFileSync(join(ROOT, 'scripts/bench', `${name}.mjs`), 'utf8');
    const run = /^export async function run\b[^]*?^\}$/m.exec(source)![0];
    const isJudged = /from '\.\/verdict\.mjs'|\bisMet\b/.test(source);
    expect(/\breturn \w|\breturn \{/.test(run), 'returns its results to scripts/bench.mjs').toBe(isJudged);
    // No target is only written in a unit.
    expect(source).not.toMatch(/\((?:under|at most|at least) \d|'\(0\)'/);
  });
});
