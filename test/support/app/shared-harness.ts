import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createTestDatabase } from '../database/postgres.js';
import { ensureFlowBuild } from '../roles/flow-build.js';
import { Harness } from './harness.js';

/** All specs come from one address, so its limits must hold them all. Specs about limits start their own harness. */
const AMPLE = {
  AUTH_FAILURES_PER_MINUTE: '100000',
  SIGN_UPS_PER_MINUTE: '100000',
  SIGN_IN_ATTEMPTS_PER_MINUTE: '100000',
};

/** One application per worker. It hangs on the process, since vitest may load this module again for each file. */
const shared = globalThis as { iesHarness?: Promise<Harness> };

/**
 * The application that all spec files of this worker use, one file after the other. What a file needs to be its own it
 * hangs on an account of its own. A spec that needs variables, counts rows of all accounts or breaks something takes
 * `startHarness`.
 */
export function sharedHarness(): Promise<Harness> {
  return (shared.iesHarness ??= start());
}

async function start(): Promise<Harness> {
  // Uploads are probed by a program of dist.
  await ensureFlowBuild();
  const database = await createTestDatabase();
  // Both end with the run: vitest ends its workers without notice.
  const dataDir = await mkdtemp(join(inject('runDir'), 'http-'));
  return Harness.start({ database, dataDir, options: { env: AMPLE }, owner: 'run' });
}
