import { join } from 'node:path';
import {
  ensurePacking,
  ensureServiceBuild,
  isPackingCurrent,
  isServiceCurrent,
} from '../../../scripts/lib/build.mjs';
import { withFileLock } from '../../../src/infra/processes/file-lock.mjs';
import { DIST, NODE_MODULES } from '../../../scripts/lib/paths.mjs';

let isCurrent = false;

/**
 * Builds the service when its build is out of date. `npm test` has built it already, so this is for
 * running one flow alone. Spec files that run concurrently take turns.
 */
export async function ensureFlowBuild(): Promise<void> {
  // A check takes 30 ms of CPU, and every service of a spec asks.
  isCurrent ||= isServiceCurrent() && isPackingCurrent();
  if (isCurrent) return;
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  await withFileLock(join(NODE_MODULES, '.setup.lock'), say, async () => {
    ensureServiceBuild(say);
    await ensurePacking(say);
  });
}

/** A compiled program, by its name in dist. */
export function builtProgram(name: string): string {
  return join(DIST, name);
}
