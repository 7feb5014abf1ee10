import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { ensureClientBuild } from '../support/clients/client-build.js';

const CHAOS = join(ROOT, 'scripts', 'chaos.mjs');

/** A run needs two minutes of faults, and on a slow machine several more to start, settle and end. */
const RUN_MS = 1_200_000;

describe('two minutes of faults under load', () => {
  it(
    'break no promise (the output names the seed, the violations and the history)',
    async () => {
      await ensureClientBuild();
      const child = spawn(
        process.execPath,
        // The results do not matter here, and these operations start in half the time. `bench -- chaos` runs all.
        [CHAOS, '--seed', '18', '--minutes', '2', '--operations', 'auto_enhance,smooth_skin'],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      }
      const code = await new Promise((resolve) => {
        child.once('exit', resolve);
      });
      expect(code, output).toBe(0);
      expect(output).toContain('No promise was broken.');
      expect(Number(/acknowledged: (\d+)/.exec(output)?.[1])).toBeGreaterThan(20);
    },
    RUN_MS,
  );
});
