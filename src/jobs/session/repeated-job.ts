import type { JobDto } from '../../common/resources/job.dto.js';
import type { CreateJobDto } from '../creation/create-job.dto.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { EnhancementStepDto, MaskDto } from '../creation/enhancement-step.dto.js';
import type { RequestedTerms } from '../creation/job-terms.js';
import type { OutputDto } from '../creation/output/output.dto.js';
import type { JobEntity } from '../job.entity.js';
import { stepsOf } from '../job-step.js';

/** A request whose operations come from an earlier job, which had them from this preset. */
export type RepeatedJob = CreateJobDto & { readonly presetName?: string };

/**
 * The request that does what a job did: the same operations and options, also if its preset has changed since, and the
 * same versions of the models that it pinned. Its result is kept no longer than that of the job. Never answered with the
 * result of an equal job.
 * @param presented the same job as clients see it
 * @param keptSeconds how long the plan of the account keeps results now
 * @param mask corrects its cutout, in place of an earlier mask
 * @throws AppError `invalid_request` for a mask without a cutout
 */
export function repeatedJob(
  job: JobEntity,
  presented: JobDto,
  keptSeconds: number,
  mask?: MaskDto,
): RepeatedJob {
  const { sourceUrl, operations, output, metadata, preset } = presented;
  const pins = stepsOf(job).map(({ operation, promise }) =>
    promise?.pinned === true ? { model: `${operation}@${promise.version}` } : {},
  );
  const steps: EnhancementStepDto[] = operations.map(({ model: _ran, timings: _timings, ...step }, index) =>
    Object.assign(step, pins[index]),
  );
  if (mask !== undefined) {
    const cutout = steps[stepsOf(job).findIndex(({ promise }) => promise?.producesAlpha === true)];
    if (cutout === undefined) throw invalidRequest([NO_CUTOUT]);
    cutout.mask = mask;
  }
  const isSingle = steps.length === 1 && preset === undefined;
  const terms = retentionOf(job, keptSeconds);
  const request = { sourceUrl, metadata, output: stated(output), cache: false, ...terms };
  if (isSingle) return Object.assign(request, steps[0]);
  return { ...request, operations: steps, ...(preset !== undefined && { presetName: preset }) };
}

const NO_CUTOUT = {
  field: 'mask',
  code: 'conflict',
  message: 'mask corrects a cutout, and no operation of this job removes the background. Omit it.',
};

function retentionOf(
  { expiresIn, retention }: JobEntity,
  keptSeconds: number,
): Pick<RequestedTerms, 'expiresIn' | 'retention'> {
  return {
    ...(expiresIn != null && { expiresIn: Math.min(expiresIn, keptSeconds) }),
    ...(retention != null && { retention }),
  };
}

/** The output options without unset fields. */
function stated({ quality, background, ...options }: JobDto['output']): OutputDto {
  return { ...options, ...(quality !== null && { quality }), ...(background !== null && { background }) };
}
