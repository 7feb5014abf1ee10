import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { ensureFlowBuild } from '../support/roles/flow-build.js';

interface Results {
  readonly jobs: { readonly value: number };
  readonly answers: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

/** Six processes start. */
const RUN_MS = 600_000;

describe('an installation on S3 that replaces all its processes while jobs arrive', () => {
  it(
    'loses no job, fails no job, and rejects requests only with 503 and Retry-After',
    async () => {
      await ensureFlowBuild();
      const args = ['rolling', '--json', '--processes', '1', '--rate', '1'];
      const child = spawn(process.execPath, [join(ROOT, 'scripts', 'bench.mjs'), ...args]);
      let [output, errors] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
      const [code] = (await once(child, 'close')) as [number];
      expect(code, `${output}${errors}`).toBe(0);
      const { jobs, answers, faults } = JSON.parse(output) as Results;
      expect(faults).toEqual([]);
      expect(jobs.value).toBeGreaterThan(5);
      expect(answers['POST /api/ai/enhance: 201'] ?? answers['POST /api/ai/enhance: 202']).toBe(jobs.value);
    },
    RUN_MS,
  );
});
