import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

const COMMITTED = join(import.meta.dirname, '../../../models');

/** An operation whose model is committed. */
export type CommittedOperation = 'auto_enhance' | 'bg_remove' | 'smooth_skin' | 'upscale';

/**
 * What the own service of a spec loads by default. A worker needs 1.3 s of CPU to load and warm all committed
 * models, and 0.25 s for these.
 */
export const USUAL_OPERATIONS: readonly CommittedOperation[] = ['auto_enhance', 'smooth_skin'];

/** A model repository with only these operations; it lasts as long as the run. */
export async function committedModels(operations: readonly CommittedOperation[]): Promise<string> {
  const dir = join(inject('runDir'), ['models', ...operations.toSorted()].join('-'));
  await mkdir(dir, { recursive: true });
  for (const operation of operations)
    // Another spec may have created it.
    await symlink(join(COMMITTED, operation), join(dir, operation)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  return dir;
}
