import type { JobDto } from '../../common/resources/job.dto.js';
import type { CreateJobDto } from '../creation/create-job.dto.js';
import type { OutputDto } from '../creation/output/output.dto.js';

/** The request of a new job with the parameters of an existing one. Never answered with the result of an equal job. */
export function rerunRequest({ sourceUrl, operations, output, metadata }: JobDto): CreateJobDto {
  const steps = operations.map(({ model: _model, timings: _timings, ...step }) => step);
  const what = steps.length === 1 ? steps[0] : { operations: steps };
  return { sourceUrl, ...what, metadata, output: stated(output), cache: false };
}

/** The output options without unset fields. */
function stated({ quality, background, ...options }: JobDto['output']): OutputDto {
  return { ...options, ...(quality !== null && { quality }), ...(background !== null && { background }) };
}
