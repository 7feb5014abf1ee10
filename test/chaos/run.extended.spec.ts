import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { FAULTS, makeSchedule, usableFaults } from '../../scripts/chaos/schedule.mjs';
import { ensureClientBuild } from '../support/clients/client-build.js';

const CHAOS = join(ROOT, 'scripts', 'chaos.mjs');

const SEED = 170_517;
const MINUTES = 0.7;
/** `JOB_LEASE_MS` in `scripts/chaos/fleet.mjs`. */
const LEASE_MS = 5_000;
/** On a slow machine, a run takes several minutes more to start, settle and end. */
const RUN_MS = 1_200_000;

describe('42 seconds of faults under load', () => {
  it('has every fault, and pauses a worker for longer than a lease', () => {
    const plan = { seed: SEED, durationMs: MINUTES * 60_000, faults: FAULTS, hasRedis: false };
    const schedule = makeSchedule(plan);
    expect(new Set(schedule.map(({ fault }) => fault))).toEqual(new Set(usableFaults(FAULTS, false)));
    const pauses = schedule.filter(({ fault, target }) => fault === 'pause' && target.startsWith('worker'));
    expect(Math.max(...pauses.map(({ durationMs }) => durationMs))).toBeGreaterThan(LEASE_MS);
  });

  it(
    'breaks no promise (the output names the seed, the violations and the history)',
    async () => {
      await ensureClientBuild();
      const child = spawn(
        process.execPath,
        // The results do not matter here, and these operations start in half the time. `bench -- chaos` runs all.
        [CHAOS, '--seed', `${SEED}`, '--minutes', `${MINUTES}`, '--operations', 'auto_enhance,smooth_skin'],
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
