import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createTestDatabase } from '../database/postgres.js';
import { ensureFlowBuild } from '../roles/flow-build.js';
import { Harness } from './harness.js';

/** All specs come from one IP address, so its limits must fit them all. Specs about limits start their own harness. */
const AMPLE = {
  AUTH_FAILURES_PER_MINUTE: '100000',
  SIGN_UPS_PER_MINUTE: '100000',
  SIGN_IN_ATTEMPTS_PER_MINUTE: '100000',
};

/** One application per worker. It is stored on the process, since vitest may load this module again for each file. */
const shared = globalThis as { iesHarness?: Promise<Harness> };

/**
 * The application that all spec files of this worker use, one file after the other. Each file keeps its data separate
 * with its own account. A spec that needs variables, counts rows of all accounts or breaks something uses
 * `startHarness`.
 */
export function sharedHarness(): Promise<Harness> {
  return (shared.iesHarness ??= start());
}

async function start(): Promise<Harness> {
  // A compiled program in dist probes uploads.
  await ensureFlowBuild();
  const database = await createTestDatabase();
  // Both last until the end of the run: vitest ends its workers without notice.
  const dataDir = await mkdtemp(join(inject('runDir'), 'http-'));
  return Harness.start({ database, dataDir, options: { env: AMPLE }, owner: 'run' });
}
