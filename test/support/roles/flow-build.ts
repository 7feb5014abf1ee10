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
 * Builds the service when it is not made from the sources as they are. `npm test` has built before, so this is for
 * whoever runs one flow by itself. Spec files that run side by side take turns.
 */
export async function ensureFlowBuild(): Promise<void> {
  // Looking takes 30 ms of CPU, and every service of a spec asks.
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
