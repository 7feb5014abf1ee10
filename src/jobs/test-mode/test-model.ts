import { livemodeOf } from '../../kernel/accounts/livemode.js';
import type { OfferedStep } from '../creation/job-spec.js';
import type { JobModel } from '../job.entity.js';

/** `model` of a drawn step: no file made it. */
export const TEST_MODEL: JobModel = { name: 'test', version: 1, sha256: '0'.repeat(64) };

/** The models that the steps of a new job will record. */
export function modelsInMode(accountId: string, steps: readonly OfferedStep[]): readonly JobModel[] {
  return steps.map(({ operation }) => (livemodeOf(accountId) ? operation.model : TEST_MODEL));
}
